// HostDatabase: turns the `database` argument of a SQL function into a SandboxSource.
//
// There is one object for each host connection that has loaded the extension. open_host() defines "the database of this
// connection", and open_file() what may be given as a path.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "base/shared_objects.hpp"
#include "db/sandbox/sandbox.hpp"

struct sqlite3;

namespace trustsql {

// State shared by all calls within one statement of the host. The code that registers a SQL function keeps one for as
// long as the statement runs: in the auxiliary data of a scalar function, in the context of an aggregate, in the cursor
// of a table-valued function. Host thread only. When a statement ends it destroys this object before it commits.
class StatementScope : public SharedObjects {
 public:
  StatementScope() = default;
  StatementScope(StatementScope&&) = default;
  StatementScope& operator=(StatementScope&&) = default;

 private:
  friend class HostDatabase;
  // A copy that was taken inside a write transaction; no other statement may use it.
  std::shared_ptr<SandboxSource> snapshot_;
  // Keeps private connections to databases in WAL mode open, each of which holds a shared lock on its file.
  std::vector<std::shared_ptr<void>> kept_open_;
  std::optional<std::chrono::milliseconds> lock_wait_;  // that of the host, once it was asked
};

class HostDatabase {
 public:
  // `host` stays the caller's; it must outlive this object. Opens nothing.
  explicit HostDatabase(sqlite3* host);
  ~HostDatabase();
  HostDatabase(const HostDatabase&) = delete;
  HostDatabase& operator=(const HostDatabase&) = delete;

  // The source for the argument `database`: open_host() for nullopt (SQL NULL), open_file() for a path. Host thread
  // only, like everything here. The leases of a source have to be returned before the statement ends.
  //
  // A query waits for a lock of another connection as long as the host does (lock_wait_of()), within its own time.
  //
  // Private connections are kept for later calls. A connection to a database in WAL mode holds a shared lock for as
  // long as it is open, which prevents the host from leaving WAL mode and its last connection from removing the -wal
  // file: such connections are kept until `scope` ends, or without a `scope` are closed when their lease ends.
  Result<std::shared_ptr<SandboxSource>> open(std::optional<std::string_view> database, const Settings& settings,
                                              StatementScope* scope = nullptr);

  // What the host connection sees now, including its uncommitted changes, temp tables and attached databases. For a
  // file outside a write transaction: private connections with the host's VFS. For a database in memory, inside a write
  // transaction, or if no private connection can be opened: a snapshot of at most `snapshot_max_bytes`. Inside a write
  // transaction each call takes a new snapshot, or one for each `scope` if given. The host's own functions, collations
  // and virtual-table modules are not available: a query that uses one fails, and the error names it. Errors:
  // limit_exceeded (snapshot_max_bytes), io, interrupted.
  Result<std::shared_ptr<SandboxSource>> open_host(const Settings& settings, StatementScope* scope = nullptr);

  // The database in the file `path`, read-only. Errors (io): not a regular file (a FIFO, a folder, ''), ':memory:', not
  // a database, corrupt, locked, or in WAL mode and unreadable. `file:` has no special meaning.
  Result<std::shared_ptr<SandboxSource>> open_file(std::string_view path, const Settings& settings,
                                                   StatementScope* scope = nullptr);

  // The database that `ddl` describes, as built by open_ddl(); the last few are cached. Errors: as open_ddl().
  Result<std::shared_ptr<SandboxSource>> open_schema(std::string_view ddl, const Settings& settings);

  // Whether the host wants the statement that is running to end: it was interrupted, or its progress handler says so
  // (InterruptProbe). Only to be called while a statement of the host runs.
  bool interrupted();

  // Whether the calls of this connection may use threads: allows_threads(), which is asked once. All code that starts a
  // thread asks this first.
  bool may_use_threads() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace trustsql
