// DatabaseImage: a copy of one database of the host connection, taken if that database cannot be opened a second time
// because it is in memory, has uncommitted changes, or its file is locked.
//
// A copy is a serialized database in one buffer that any number of private connections can read at once
// (https://sqlite.org/c3ref/deserialize.html). If SQLite lacks sqlite3_serialize, the copy is a separate connection,
// whose pages are copied into each private connection (https://sqlite.org/backup.html).
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>

#include "base/result.hpp"
#include "db/sqlite/connection.hpp"

namespace trustsql {

class DatabaseImage {
 public:
  // Copies the database `schema` ("main", "temp" or an attached one) of `host` as the host sees it now. Runs SELECT and
  // PRAGMA statements on the host, which change neither its transaction nor its change counters, and leaves none of
  // them open. Errors: limit_exceeded (larger than `max_bytes`), interrupted, and any error of the host in reading it.
  static Result<std::shared_ptr<const DatabaseImage>> take(sqlite3* host, const std::string& schema,
                                                           std::int64_t max_bytes);

  // Makes the database `schema` of the private connection `db` show this copy; thread-safe. `schema` may be "temp",
  // which then holds a copy of its own. Errors: as sqlite_error().
  Status install(sqlite3* db, const std::string& schema) const;

  std::int64_t byte_size() const { return size_; }

 private:
  struct Free {
    void operator()(unsigned char* data) const { sqlite3_free(data); }
  };

  static Result<std::shared_ptr<const DatabaseImage>> of_connection(Connection copy);

  std::unique_ptr<unsigned char, Free> data_;  // null if the copy is empty or is a connection
  std::int64_t size_ = 0;
  mutable std::mutex mutex_;  // guards connection_
  Connection connection_;
};

}  // namespace trustsql
