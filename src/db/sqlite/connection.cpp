#include "db/sqlite/connection.hpp"

#include "base/text.hpp"
#include "db/sqlite/failure_cause.hpp"

namespace trustsql {

ErrorCode error_code(int sqlite_code) {
  switch (sqlite_code & 0xff) {
    case SQLITE_NOMEM: return ErrorCode::out_of_memory;
    case SQLITE_INTERRUPT: return ErrorCode::interrupted;
    case SQLITE_TOOBIG: return ErrorCode::limit_exceeded;
    case SQLITE_AUTH: return ErrorCode::not_allowed;
    case SQLITE_PERM:
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
    case SQLITE_READONLY:
    case SQLITE_IOERR:
    case SQLITE_CORRUPT:
    case SQLITE_FULL:
    case SQLITE_CANTOPEN:
    case SQLITE_PROTOCOL:
    case SQLITE_NOTADB: return ErrorCode::io;
    default: return ErrorCode::query_failed;
  }
}

Error sqlite_error(sqlite3* db, int code) {
  // The connection's message describes its latest failure; if that was not `code`, the text of the code is used.
  const bool has_message = db != nullptr && (sqlite3_errcode(db) & 0xff) == (code & 0xff);
  return {error_code(code), replace_invalid_utf8(has_message ? sqlite3_errmsg(db) : sqlite3_errstr(code))};
}

std::string describe_limit(sqlite3* db, int limit) {
  constexpr std::string_view names[] = {
      "LENGTH",  "SQL_LENGTH",   "COLUMN",   "EXPR_DEPTH",          "COMPOUND_SELECT",
      "VDBE_OP", "FUNCTION_ARG", "ATTACHED", "LIKE_PATTERN_LENGTH", "VARIABLE_NUMBER"};
  return " (SQLITE_LIMIT_" + std::string(names[limit]) + " of the connection is " +
         std::to_string(sqlite3_limit(db, limit, -1)) + ")";
}

Error statement_error(sqlite3* db, int code) {
  Error error = sqlite_error(db, code);
  if (db == nullptr) return error;
  const auto cause = failure_cause(error.message);
  // The text that is too long may also be that of the statement or of the schema.
  if (cause.limit == SQLITE_LIMIT_LENGTH &&
      sqlite3_limit(db, SQLITE_LIMIT_SQL_LENGTH, -1) < sqlite3_limit(db, SQLITE_LIMIT_LENGTH, -1))
    error.message += describe_limit(db, SQLITE_LIMIT_SQL_LENGTH);
  if (cause.kind == FailureCause::Kind::limit) error.message += describe_limit(db, cause.limit);
  // A program that is too long is reported like exhausted memory.
  constexpr int usual_ops = 250'000'000;
  if (error.code == ErrorCode::out_of_memory && sqlite3_limit(db, SQLITE_LIMIT_VDBE_OP, -1) < usual_ops)
    error.message += describe_limit(db, SQLITE_LIMIT_VDBE_OP);
  return error;
}

Result<Statement> prepare(sqlite3* db, std::string_view sql) {
  sqlite3_stmt* handle = nullptr;
  const int code = sqlite3_prepare_v3(db, sql.data(), static_cast<int>(sql.size()), 0, &handle, nullptr);
  Statement statement(handle);
  if (code != SQLITE_OK) return statement_error(db, code);
  if (!statement) return internal_error("an empty statement was prepared");
  return statement;
}

Status execute(sqlite3* db, std::string_view sql) {
  TRUSTSQL_ASSIGN_OR_RETURN(Statement statement, prepare(db, sql));
  return statement.run();
}

Status declare_table(sqlite3* db, const std::string& sql) {
  // SQLite would only report "SQL logic error".
  if (sql.size() > static_cast<std::size_t>(sqlite3_limit(db, SQLITE_LIMIT_SQL_LENGTH, -1)))
    return limit_exceeded("the declaration of the table has " + std::to_string(sql.size()) + " bytes" +
                          describe_limit(db, SQLITE_LIMIT_SQL_LENGTH));
  const int code = sqlite3_declare_vtab(db, sql.c_str());
  if (code != SQLITE_OK) return statement_error(db, code);
  return ok_status();
}

std::string_view vfs_name(sqlite3* db, const char* schema) {
  sqlite3_vfs* vfs = nullptr;
  sqlite3_file_control(db, schema, SQLITE_FCNTL_VFS_POINTER, static_cast<void*>(&vfs));
  return vfs == nullptr || vfs->zName == nullptr ? std::string_view() : std::string_view(vfs->zName);
}

Result<std::int64_t> query_integer(sqlite3* db, std::string_view sql) {
  TRUSTSQL_ASSIGN_OR_RETURN(Statement statement, prepare(db, sql));
  TRUSTSQL_ASSIGN_OR_RETURN(const bool row, statement.step());
  return row ? statement.column_integer(0) : 0;
}

Status copy_database(sqlite3* to, const std::string& to_schema, sqlite3* from, const std::string& from_schema) {
  sqlite3_backup* backup = sqlite3_backup_init(to, to_schema.c_str(), from, from_schema.c_str());
  if (backup == nullptr) return sqlite_error(to, sqlite3_extended_errcode(to));
  const int step = sqlite3_backup_step(backup, -1);
  const int finish = sqlite3_backup_finish(backup);
  if (step == SQLITE_DONE && finish == SQLITE_OK) return ok_status();
  return sqlite_error(to, finish != SQLITE_OK ? finish : step);
}

Result<Connection> Connection::open(const std::string& name, int flags, const char* vfs, int* code) {
  sqlite3* handle = nullptr;
  const int result = sqlite3_open_v2(name.c_str(), &handle, flags | SQLITE_OPEN_PRIVATECACHE, vfs);
  Connection connection(handle);
  if (result != SQLITE_OK) {
    if (code != nullptr) *code = handle != nullptr ? sqlite3_extended_errcode(handle) : result;
    return sqlite_error(handle, result);
  }
  sqlite3_extended_result_codes(handle, 1);
  return connection;
}

Result<Connection> Connection::open_memory() {
  return open(":memory:", SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX);
}

}  // namespace trustsql
