// The sandbox: runs untrusted queries.
//
// A query runs on a private, read-only connection to the database in question, never on the host's. It must be one
// SELECT; an authorizer allows reading, selecting, recursion and the functions that are built into SQLite; a progress
// handler enforces a deadline; and limits bound its rows, bytes, nesting, expansion and program length. The host
// connection is not touched: neither its authorizer nor its progress handler, transaction, change counters or limits.
//
// What it does not guarantee: the deadline is checked between VDBE instructions, and SQLite can do much work within
// one. With max_length at its default of 16 MB, a malicious query may outlast the deadline by some seconds (worst
// cases found: a row of 16 expressions of 16 MB each, 3 s; preparing a chain of 900 equations, 7 s), an ordinary one by
// less than a millisecond. The slowest functions are replaced (db/sandbox/bounded_functions.hpp) or lower the length
// limit of their query. Memory: one row may take 256 MB in addition to the limits below; sorts and intermediate tables
// go to temporary files. A lower max_length reduces all of these.
//
//   SandboxSource   a database that queries can be run on: a file, or what the host connection sees now
//   Sandbox         one private connection to it, for one thread at a time
//   HostDatabase    (host_database.hpp) makes sources from the `database` argument of a SQL function
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "base/setting_specs.hpp"
#include "base/settings.hpp"
#include "db/results/result_set.hpp"
#include "db/sqlite/lock_wait.hpp"

namespace trustsql {

struct SandboxLimits {
  std::chrono::milliseconds timeout{default_integer(Setting::timeout_ms)};
  std::int64_t max_rows = default_integer(Setting::max_rows);
  std::int64_t max_bytes = default_integer(Setting::max_bytes);  // size of one ResultSet
  // Bytes of a text or blob (fewer in a query with many of them), and of SQL up to 1 MB.
  int max_length = default_integer<int>(Setting::max_length);
  int max_expression_depth = default_integer<int>(Setting::max_expression_depth);
  int max_compound_select = default_integer<int>(Setting::max_compound_select);
  int max_vdbe_ops = default_integer<int>(Setting::max_vdbe_ops);
  std::int64_t max_steps = default_integer(Setting::max_steps);  // 0: any number
  std::chrono::milliseconds lock_wait = least_lock_wait;         // for each lock of another connection

  static SandboxLimits from(const Settings& settings);
  friend bool operator==(const SandboxLimits&, const SandboxLimits&) = default;
};

// Which state of which database file is read (db/sources/file_state.hpp).
struct FileState {
  std::string path;  // of the database, absolute
  std::string sign;  // of its state

  friend bool operator==(const FileState&, const FileState&) = default;
};

// The name of the function that a query calls and the sandbox does not know, from the error of Sandbox::run() or
// prepare(); empty for any error other than unknown_function.
std::string unknown_function_name(const Error& error);

// A private connection. Not thread-safe: one thread at a time. Obtained from SandboxSource::lease().
class Sandbox {
 public:
  virtual ~Sandbox() = default;

  // Runs `sql`, which must be one SELECT (or VALUES, or WITH ... SELECT), and returns all its rows. Errors: not_allowed
  // (empty, several statements, not a SELECT, a function or table that is not on the allow-list), query_failed
  // (SQLite's message; or the query has parameters, for which there are no values), unknown_function (likewise),
  // limit_exceeded (which limit, and the setting that raises it), interrupted, io (with the database's name),
  // out_of_memory. Every statement is reset when the call returns, even after an error.
  virtual Result<ResultSet> run(std::string_view sql) = 0;

  // Prepares `sql` as run() does, without running it, and returns the names of its columns. The result depends on the
  // text and the schema only, not on any value in the database. Errors: those of run() that come before the first row.
  virtual Result<std::vector<std::string>> prepare(std::string_view sql) = 0;

  // Makes the query that is running in another thread, if any, end with `interrupted`. Thread-safe.
  virtual void interrupt() = 0;

  // Has `stop` called from time to time, at most 20 times a second, in the thread that runs a query; once it returns
  // true the query ends with `interrupted`. Remains in effect until the lease ends; an empty function removes it.
  virtual void set_stop(std::function<bool()> stop) = 0;

  // No query runs past this moment, whatever its timeout. Remains in effect until the lease ends. Use ScopedDeadline.
  virtual void set_deadline(std::chrono::steady_clock::time_point deadline) = 0;

  // A version number. It differs from all earlier ones of this source if the database may have changed since (including
  // commits of other connections): results cached under the same number are current. Errors: io (locked, unreadable).
  virtual Result<std::uint64_t> version() = 0;

  // Begins to read: until end_read() all queries see one state of the database, whose version() this returns, and its
  // lock is taken once instead of once per query. Use ReadTransaction, which ends what it begins: a lock that stays
  // held prevents others from committing. Errors: as version(); after an error no read has begun.
  virtual Result<std::uint64_t> begin_read() = 0;
  virtual void end_read() = 0;

  // The state that is read, so that another process can tell it from others; nullopt if nothing safe says that (the
  // database is not one file with a rollback journal, or was changed just now), or if no read has begun.
  virtual std::optional<FileState> file_state() { return std::nullopt; }
};

// Lets no query of a sandbox run past a moment while this object lives. It must not be nested on one sandbox.
class ScopedDeadline {
 public:
  ScopedDeadline(Sandbox& sandbox, std::chrono::steady_clock::time_point deadline) : sandbox_(sandbox) {
    sandbox.set_deadline(deadline);
  }
  ~ScopedDeadline() { sandbox_.set_deadline(std::chrono::steady_clock::time_point::max()); }
  ScopedDeadline(const ScopedDeadline&) = delete;
  ScopedDeadline& operator=(const ScopedDeadline&) = delete;

 private:
  Sandbox& sandbox_;
};

// Reads one state of the database while this object lives. It must not be nested on one sandbox, nor outlive it.
class ReadTransaction {
 public:
  static Result<ReadTransaction> begin(Sandbox& sandbox) {
    TRUSTSQL_ASSIGN_OR_RETURN(const std::uint64_t version, sandbox.begin_read());
    return ReadTransaction(sandbox, version);
  }
  ReadTransaction(ReadTransaction&& other) noexcept
      : sandbox_(std::exchange(other.sandbox_, nullptr)), version_(other.version_) {}
  ReadTransaction& operator=(ReadTransaction&&) = delete;
  ~ReadTransaction() {
    if (sandbox_ != nullptr) sandbox_->end_read();
  }

  // Sandbox::version() of the state that is read.
  std::uint64_t version() const { return version_; }

 private:
  ReadTransaction(Sandbox& sandbox, std::uint64_t version) : sandbox_(&sandbox), version_(version) {}

  Sandbox* sandbox_;
  std::uint64_t version_;
};

// A leased Sandbox goes back to its source's pool when the lease ends. A lease keeps its source alive.
using SandboxLease = std::unique_ptr<Sandbox, std::function<void(Sandbox*)>>;

class Catalog;

class SandboxSource {
 public:
  virtual ~SandboxSource() = default;

  // A private connection for the calling thread. Thread-safe: several leases may be held at once, and each runs on
  // its own connection. Errors: io (cannot be opened, locked, corrupt), with the path in the message.
  virtual Result<SandboxLease> lease() = 0;

  // The schema of the database; read again when it has changed. Thread-safe. Errors: as lease(), and what keeps the
  // schema from being read.
  virtual Result<std::shared_ptr<const Catalog>> catalog() = 0;

  // The name of the database in messages: its path, or "the database of this connection".
  virtual std::string_view name() const = 0;

  // A number that distinguishes this database from all others in this process, for cache keys.
  virtual std::uint64_t identity() const = 0;
};

}  // namespace trustsql
