// HostDatabase: from the `database` argument of a SQL function to a SandboxSource.
//
// One object lives with each host connection that has loaded the extension. What "the database of this connection"
// means, and what holds for a path, stands at open_host() and open_file().
#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "base/result.hpp"
#include "db/sandbox.hpp"

struct sqlite3;

namespace trustsql {

class HostDatabase {
 public:
  // `host` stays the caller's; it must outlive this object. Opens nothing.
  explicit HostDatabase(sqlite3* host);
  ~HostDatabase();
  HostDatabase(const HostDatabase&) = delete;
  HostDatabase& operator=(const HostDatabase&) = delete;

  // The source for the argument `database`: open_host() for nullopt (SQL NULL), open_file() for a path.
  // Host thread only, like everything here.
  Result<std::shared_ptr<SandboxSource>> open(std::optional<std::string_view> database, const Settings& settings);

  // What the host connection sees now, its uncommitted changes, temp tables and attached databases included.
  // A file outside a write transaction: private connections with the host's VFS. In memory, inside a write
  // transaction, or where a private connection cannot be had: a snapshot of at most `snapshot_max_bytes`.
  Result<std::shared_ptr<SandboxSource>> open_host(const Settings& settings);

  // The database in the file `path`, read-only. Errors (io): no regular file (a FIFO, a folder, ''), ':memory:', not
  // a database, corrupt, locked, in WAL mode where it cannot be read. `file:` has no special meaning.
  Result<std::shared_ptr<SandboxSource>> open_file(std::string_view path, const Settings& settings);

  // Whether sqlite3_interrupt was called on the host for the statement that is running. Only to be called while a
  // statement of the host runs; probes at most 20 times a second and returns the last answer in between.
  bool interrupted();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace trustsql
