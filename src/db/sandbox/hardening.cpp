#include "db/sandbox/hardening.hpp"

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "db/sandbox/allow_list.hpp"
#include "db/sandbox/bounded_functions.hpp"

namespace trustsql {

namespace {

// What the functions of a connection say about how far it can be trusted.
struct RegisteredFunctions {
  std::vector<std::string> replaced{};  // SQLite's own, replaced by a function of an auto-extension
  // SQLite 3.38 to 3.40 do not call their JSON functions innocuous, by mistake.
  bool distrusts_json = false;
  // Of an auto-extension, and not innocuous: what it does is unknown.
  bool has_unknown = false;
};

// Registered by R-tree and the full-text modules; called without the objects of those modules, they do nothing.
constexpr std::string_view functions_of_modules[] = {
    "fts3_tokenizer", "fts5", "fts5_get_locale", "fts5_source_id", "optimize", "rtreecheck", "rtreedepth", "rtreenode"};

// Auto-extensions run in every sqlite3_open_v2() of the process. The authorizer denies functions that they add under
// other names; functions with which they replace an allowed one have to be detected here.
Result<RegisteredFunctions> registered_functions(sqlite3* db) {
  TRUSTSQL_ASSIGN_OR_RETURN(Statement list,
                            prepare(db, "PRAGMA function_list"));  // name, builtin, type, enc, narg, flags
  RegisteredFunctions functions;
  while (true) {
    TRUSTSQL_ASSIGN_OR_RETURN(const bool row, list.step());
    if (!row) return functions;
    const std::string_view name = list.column_text(0);
    const bool is_innocuous = (list.column_integer(5) & SQLITE_INNOCUOUS) != 0;
    if (list.column_integer(1) != 0) {
      functions.distrusts_json = functions.distrusts_json || (name == "json_extract" && !is_innocuous);
      continue;
    }
    if (is_replaced_builtin(name) && !is_replacement(name, static_cast<int>(list.column_integer(4))))
      functions.replaced.emplace_back(name);
    const bool is_known =
        function_cost(name) || std::ranges::find(functions_of_modules, name) != std::end(functions_of_modules);
    functions.has_unknown = functions.has_unknown || (!is_known && !is_innocuous);
  }
}

}  // namespace

Status harden(Connection& connection, Authorizer& authorizer, Authorizer::Mode mode, LikeFunction like,
              std::function<bool()> must_stop) {
  sqlite3* db = connection.handle();
  sqlite3_drop_modules(
      db, const_cast<const char**>(allowed_modules()));  // NOLINT(cppcoreguidelines-pro-type-const-cast): only read
  TRUSTSQL_ASSIGN_OR_RETURN(auto functions, registered_functions(db));
  // Where the schema is not trusted, tables and views may only use functions that are called innocuous. If all others
  // are SQLite's own, nothing is lost by letting them use those: the authorizer sees what a view calls and what a
  // CREATE statement declares, and SQLite lets no schema call load_extension().
  const bool trusts_schema = functions.distrusts_json && !functions.has_unknown && functions.replaced.empty();
  authorizer.set_replaced_functions(std::move(functions.replaced));
  TRUSTSQL_RETURN_IF_ERROR(replace_slow_functions(db, like, std::move(must_stop)));

  // Double-quoted strings are accepted as in SQLite's default build, whatever the options of this one: many published
  // queries rely on them.
  const std::pair<int, int> switches[] = {
      {SQLITE_DBCONFIG_DEFENSIVE, 1},
      {SQLITE_DBCONFIG_TRUSTED_SCHEMA, trusts_schema ? 1 : 0},
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
