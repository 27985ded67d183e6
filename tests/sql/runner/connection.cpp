#include "connection.hpp"

#include <cctype>

#include "values.hpp"

#ifdef TRUSTSQL_STATIC
#include <trustsql/trustsql.h>
#endif

namespace test_runner {

namespace {

int on_authorize(void* calls, int, const char*, const char*, const char*, const char*) {
  ++*static_cast<int*>(calls);
  return SQLITE_OK;
}
int on_progress(void* calls) {
  ++*static_cast<int*>(calls);
  return 0;
}
int on_commit(void*) { return 0; }
void on_rollback(void*) {}
void on_update(void*, int, const char*, const char*, sqlite3_int64) {}

struct Finalizer {
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};
using Statement = std::unique_ptr<sqlite3_stmt, Finalizer>;

// BEGIN, ATTACH and the like are "read-only" for SQLite, but change the connection.
bool is_select(const char* sql) {
  std::string word;
  for (const char* p = sql; *p != '\0'; ++p) {
    if (std::isalpha(static_cast<unsigned char>(*p)) != 0) {
      word += static_cast<char>(std::toupper(static_cast<unsigned char>(*p)));
    } else if (!word.empty()) {
      break;
    }
  }
  return word == "SELECT" || word == "WITH" || word == "VALUES";
}

}  // namespace

Connection::Connection(const std::string& file, bool read_only, const std::string& entry,
                       const ExtensionSource& source) {
#ifdef TRUSTSQL_STATIC
  // As applications do it: SQLite calls the entry point for this and every other connection of the process.
  sqlite3_reset_auto_extension();
  const auto add = [](auto* init) { sqlite3_auto_extension(reinterpret_cast<void (*)()>(init)); };
  if (entry == "full") add(sqlite3_trustsql_init);
  if (entry == "offline") add(sqlite3_trustsql_offline_init);
  if (entry == "pure") add(sqlite3_trustsql_pure_init);
#endif
  const int flags = read_only ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
  const int code = sqlite3_open_v2(file.c_str(), &db_, flags, nullptr);
  try {
    if (code != SQLITE_OK) throw SqliteError(code, db_ != nullptr ? sqlite3_errmsg(db_) : "out of memory");
    if (entry != "none") load(entry, source);
  } catch (...) {
    sqlite3_close_v2(db_);
    throw;
  }
  install_handlers();
  limits_ = limits();
  flags_ = this->flags();
}

Connection::~Connection() { sqlite3_close_v2(db_); }

void Connection::load([[maybe_unused]] const std::string& entry, [[maybe_unused]] const ExtensionSource& source) {
#ifndef TRUSTSQL_STATIC
  const std::string function = entry == "full" ? "sqlite3_trustsql_init" : "sqlite3_trustsql_" + entry + "_init";
  sqlite3_db_config(db_, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 1, nullptr);
  char* text = nullptr;
  const int code = sqlite3_load_extension(db_, source.module_path.c_str(), function.c_str(), &text);
  const std::string message = text != nullptr ? text : "";
  sqlite3_free(text);
  sqlite3_db_config(db_, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, nullptr);
  if (code != SQLITE_OK) throw SqliteError(code, message);
#endif
}

void Connection::install_handlers() {
  sqlite3_set_authorizer(db_, on_authorize, &authorizer_calls_);
  if (sqlite3_progress_handler != nullptr) sqlite3_progress_handler(db_, 100, on_progress, &progress_calls_);
  sqlite3_commit_hook(db_, on_commit, this);
  sqlite3_rollback_hook(db_, on_rollback, this);
  sqlite3_update_hook(db_, on_update, this);
}

std::array<int, Connection::limit_count> Connection::limits() const {
  std::array<int, limit_count> values{};
  for (int i = 0; i < limit_count; ++i) values[static_cast<std::size_t>(i)] = sqlite3_limit(db_, i, -1);
  return values;
}

std::array<int, Connection::db_config_flags.size()> Connection::flags() const {
  std::array<int, db_config_flags.size()> values{};
  for (std::size_t i = 0; i < values.size(); ++i) sqlite3_db_config(db_, db_config_flags[i], -1, &values[i]);
  return values;
}

Connection::Outcome Connection::run(const std::string& sql, bool raw) {
  Outcome outcome;
  last_only_read_ = true;
  const char* unread = sql.c_str();
  while (*unread != '\0') {
    sqlite3_stmt* prepared = nullptr;
    const char* const begin = unread;
    const int prepare_code = sqlite3_prepare_v2(db_, begin, -1, &prepared, &unread);
    const Statement statement(prepared);
    if (prepare_code != SQLITE_OK) throw SqliteError(prepare_code, sqlite3_errmsg(db_));
    if (prepared == nullptr) continue;  // blanks and comments
    last_only_read_ = last_only_read_ && sqlite3_stmt_readonly(prepared) != 0 && is_select(begin);
    const int columns = sqlite3_column_count(prepared);
    if (columns > 0) outcome.names.clear();
    for (int i = 0; i < columns; ++i) outcome.names.emplace_back(sqlite3_column_name(prepared, i));
    int code = SQLITE_OK;
    while ((code = sqlite3_step(prepared)) == SQLITE_ROW) {
      auto& row = outcome.rows.emplace_back();
      for (int i = 0; i < columns; ++i) row.push_back(raw ? raw_text(prepared, i) : literal(prepared, i));
    }
    if (code != SQLITE_DONE) throw SqliteError(code, sqlite3_errmsg(db_));
  }
  return outcome;
}

HostState Connection::state() const {
  return {.changes = sqlite3_changes(db_),
          .total_changes = sqlite3_total_changes(db_),
          .last_rowid = sqlite3_last_insert_rowid(db_),
          .autocommit = sqlite3_get_autocommit(db_) != 0,
          .writing = sqlite3_txn_state(db_, nullptr) == SQLITE_TXN_WRITE};
}

std::string Connection::disturbed(const HostState* before) {
  std::string changes;
  if (limits() != limits_) changes += "sqlite3_limit ";
  if (flags() != flags_) changes += "sqlite3_db_config ";
  if (sqlite3_commit_hook(db_, on_commit, this) != this) changes += "commit hook ";
  if (sqlite3_rollback_hook(db_, on_rollback, this) != this) changes += "rollback hook ";
  if (sqlite3_update_hook(db_, on_update, this) != this) changes += "update hook ";
  if (before != nullptr) {
    const HostState now = state();
    if (now.changes != before->changes) changes += "sqlite3_changes ";
    if (now.total_changes != before->total_changes) changes += "sqlite3_total_changes ";
    if (now.last_rowid != before->last_rowid) changes += "sqlite3_last_insert_rowid ";
    if (now.autocommit != before->autocommit) changes += "sqlite3_get_autocommit ";
    if (now.writing != before->writing) changes += "sqlite3_txn_state ";
  }
  // The authorizer and the progress handler cannot be queried; whether they are called can.
  authorizer_calls_ = progress_calls_ = 0;
  sqlite3_stmt* prepared = nullptr;
  sqlite3_prepare_v2(
      db_, "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100) SELECT count(*) FROM n", -1,
      &prepared, nullptr);
  const Statement statement(prepared);
  if (authorizer_calls_ == 0) changes += "authorizer ";
  if (prepared != nullptr) {
    if (sqlite3_step(prepared) == SQLITE_ROW && progress_calls_ == 0 && sqlite3_progress_handler != nullptr)
      changes += "progress handler ";
  }
  return changes;
}

std::string Connection::close() {
  std::string left;
  for (sqlite3_stmt* s = nullptr; (s = sqlite3_next_stmt(db_, s)) != nullptr;)
    left += std::string("\n  ") + sqlite3_sql(s);
  const int code = sqlite3_close(db_);
  if (code != SQLITE_OK) {
    sqlite3_close_v2(db_);
  } else {
    left.clear();  // virtual tables finalize their statements when they are disconnected
  }
  db_ = nullptr;
  return code == SQLITE_OK ? "" : std::string("unable to close, open statements:") + left;
}

}  // namespace test_runner
