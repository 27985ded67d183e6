// Versions of a database, as seen by several connections.
//
// PRAGMA data_version tells one connection that another one has committed since it last asked
// (https://sqlite.org/pragma.html#pragma_data_version), but the values of two connections cannot be compared. The
// ledger turns them into numbers that can be compared: under one number, all connections of a source see the same
// state.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

#include "base/result.hpp"
#include "db/sources/layout.hpp"
#include "db/sqlite/statement.hpp"

namespace trustsql {

// The data versions, on one connection, of the databases in a layout that can change: files that are not immutable.
class DataVersions {
 public:
  // Prepares to watch `db`, which open_layout(layout) opened. Error: as sqlite_error().
  static Result<DataVersions> watch(sqlite3* db, const Layout& layout);

  // Whether no database can change.
  bool constant() const { return statements_.empty(); }

  // Begins to read, and returns whether a database has changed since the last call (true for the first call). Until
  // release() the connection sees the state that this call saw. Errors (io): locked, unreadable; after an error no lock
  // is held.
  Result<bool> look();
  void release();

 private:
  std::vector<Statement> statements_;
  std::vector<std::int64_t> seen_;
};

// The numbers of one source. Thread-safe.
class VersionLedger {
 public:
  // The part of the ledger that belongs to one connection and is used by its thread only.
  struct Member {
    std::uint64_t number = 0;
  };

  explicit VersionLedger(const Layout& layout);

  void join() { ++members_; }
  void leave() { --members_; }

  // Closes the ledger's own connection; it is reopened when needed.
  void dismiss_witness();

  // Begins to read through `versions`, which belong to `member`, and returns the number of the state that they see
  // until they are released. Members that read the same state get the same number if that can be proved; different
  // states never get the same number. Errors (io): as DataVersions::look(); after an error no lock is held.
  Result<std::uint64_t> begin_read(Member& member, DataVersions& versions);

 private:
  // The ledger's own connection: if it sees the same state before and after a member reads, the member has seen that
  // state as well.
  struct Witness {
    Connection connection;
    DataVersions versions;
  };
  Result<bool> ask_witness();
  std::uint64_t number(Member& member, bool changed, bool witness_looked);

  const Layout watched_;  // the databases that can change
  std::atomic<std::size_t> members_ = 0;
  std::atomic<std::uint64_t> current_ = 0;  // the number of the state that the sole member or the witness saw last
  std::mutex mutex_;                        // guards what follows
  std::uint64_t last_ = 0;                  // the largest number assigned so far
  std::optional<Witness> witness_;
  bool witness_confirms_ = false;  // whether current_ is the number of the state that the witness saw last
};

}  // namespace trustsql
