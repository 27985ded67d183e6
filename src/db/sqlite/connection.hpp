// Connection: a database connection that closes itself, and the translation of SQLite's result codes into Errors.
//
// The functions that take a bare `sqlite3*` are also used with the host's connection, which the extension must never
// close.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "db/sqlite/sqlite_api.hpp"
#include "db/sqlite/statement.hpp"

namespace trustsql {

// The kind of failure that a result code of SQLite stands for: io for failures of the file or a lock (busy, corrupt,
// not a database, disk full ...), so that callers never attribute them to a query; query_failed for the rest.
ErrorCode error_code(int sqlite_code);

// `code` as an Error, with the message of `db` (which may be null if it could not be allocated).
Error sqlite_error(sqlite3* db, int code);

// As sqlite_error(), for a statement that `db` could not prepare or run. If a limit of the connection (sqlite3_limit())
// may be the reason, the message names it and its value, since hosts may have lowered it.
// (https://sqlite.org/c3ref/limit.html)
Error statement_error(sqlite3* db, int code);

// " (SQLITE_LIMIT_LENGTH of the connection is 1000)" for that limit of `db`.
std::string describe_limit(sqlite3* db, int limit);

// Prepares the first statement of `sql` on `db`. Errors: as statement_error().
Result<Statement> prepare(sqlite3* db, std::string_view sql);

// Prepares and runs one of the extension's own statements, ignoring rows. Errors: as statement_error().
Status execute(sqlite3* db, std::string_view sql);

// sqlite3_declare_vtab(), to be called in xCreate and xConnect. Errors: as statement_error().
Status declare_table(sqlite3* db, const std::string& sql);

// The name of the VFS through which `db` reads the database `schema`; empty if that is not known.
std::string_view vfs_name(sqlite3* db, const char* schema);

// The first column of the first row of `sql`, 0 if there is no row. Errors: as statement_error().
Result<std::int64_t> query_integer(sqlite3* db, std::string_view sql);

// Replaces the database `to_schema` of `to` with a copy of the database `from_schema` of `from`
// (https://sqlite.org/backup.html). Errors: as sqlite_error().
Status copy_database(sqlite3* to, const std::string& to_schema, sqlite3* from, const std::string& from_schema);

class Connection {
 public:
  Connection() = default;

  // Opens `name` with a private page cache, the flags of sqlite3_open_v2 and the VFS named `vfs` (nullptr: the default
  // one). On failure `*code` (unless null) is the extended result code. Errors: as sqlite_error().
  static Result<Connection> open(const std::string& name, int flags, const char* vfs = nullptr, int* code = nullptr);

  // A private, empty database in memory. Errors: as sqlite_error().
  static Result<Connection> open_memory();

  sqlite3* handle() const { return handle_.get(); }
  explicit operator bool() const { return handle_ != nullptr; }

 private:
  struct Closer {
    void operator()(sqlite3* db) const { sqlite3_close_v2(db); }
  };
  explicit Connection(sqlite3* handle) : handle_(handle) {}

  std::unique_ptr<sqlite3, Closer> handle_;
};

}  // namespace trustsql
