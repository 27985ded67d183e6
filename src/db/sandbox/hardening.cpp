#include "db/sandbox/hardening.hpp"

#include <string>
#include <utility>
#include <vector>

#include "db/sandbox/allow_list.hpp"
#include "db/sandbox/bounded_functions.hpp"

namespace trustsql {

namespace {

// Auto-extensions run in every sqlite3_open_v2() of the process. The authorizer denies functions that they add under
// other names; functions with which they replace an allowed one have to be detected here.
Result<std::vector<std::string>> replaced_functions(sqlite3* db) {
  TRUSTSQL_ASSIGN_OR_RETURN(Statement list,
                            prepare(db, "PRAGMA function_list"));  // name, builtin, type, enc, narg, flags
  std::vector<std::string> names;
  while (true) {
    TRUSTSQL_ASSIGN_OR_RETURN(const bool row, list.step());
    if (!row) return names;
    if (list.column_integer(1) != 0) continue;
    const std::string_view name = list.column_text(0);
    if (is_replaced_builtin(name) && !is_replacement(name, static_cast<int>(list.column_integer(4))))
      names.emplace_back(name);
  }
}

}  // namespace

Status harden(Connection& connection, Authorizer& authorizer, Authorizer::Mode mode, std::function<bool()> must_stop) {
  sqlite3* db = connection.handle();
  sqlite3_drop_modules(
      db, const_cast<const char**>(allowed_modules()));  // NOLINT(cppcoreguidelines-pro-type-const-cast): only read
  TRUSTSQL_ASSIGN_OR_RETURN(auto replaced, replaced_functions(db));
  authorizer.set_replaced_functions(std::move(replaced));
  TRUSTSQL_RETURN_IF_ERROR(replace_slow_functions(db, std::move(must_stop)));

  // Double-quoted strings are accepted as in SQLite's default build, whatever the options of this one: many published
  // queries rely on them.
  constexpr std::pair<int, int> switches[] = {
      {SQLITE_DBCONFIG_DEFENSIVE, 1},
      {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
      {SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER, 0},
      {SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0},
      {SQLITE_DBCONFIG_DQS_DML, 1},
      {SQLITE_DBCONFIG_DQS_DDL, 1},
  };
  for (const auto& [option, value] : switches) sqlite3_db_config(db, option, value, nullptr);

  for (const char* pragma : {"PRAGMA cell_size_check=ON", "PRAGMA mmap_size=0"})
    TRUSTSQL_RETURN_IF_ERROR(execute(db, pragma));
  if (mode != Authorizer::Mode::schema) TRUSTSQL_RETURN_IF_ERROR(execute(db, "PRAGMA query_only=ON"));

  sqlite3_limit(db, SQLITE_LIMIT_ATTACHED, 0);
  sqlite3_limit(db, SQLITE_LIMIT_WORKER_THREADS, 0);
  // A LIKE may take time proportional to the product of the lengths of text and pattern, within one instruction; if it
  // is not the replacement it cannot be stopped.
  sqlite3_limit(db, SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 200);
  authorizer.install(db);
  authorizer.set_mode(mode);
  return ok_status();
}

}  // namespace trustsql
