#include "db/sqlite/host_functions.hpp"

#include <algorithm>
#include <iterator>

#include "base/text.hpp"
#include "db/sqlite/connection.hpp"

namespace trustsql {

Result<std::vector<HostFunction>> read_functions(sqlite3* db) {
  auto prepared = prepare(db, "SELECT DISTINCT name, narg, type, builtin FROM pragma_function_list");
  if (!prepared.ok() && prepared.error().code == ErrorCode::query_failed) return std::vector<HostFunction>();
  TRUSTSQL_ASSIGN_OR_RETURN(Statement statement, std::move(prepared));
  std::vector<HostFunction> functions;
  while (true) {
    TRUSTSQL_ASSIGN_OR_RETURN(const bool row, statement.step());
    if (!row) return functions;
    HostFunction& function = functions.emplace_back();
    function.name = statement.column_text(0);
    function.arguments = static_cast<int>(statement.column_integer(1));
    function.built_in = statement.column_integer(3) != 0;
    const auto type = statement.column_text(2);
    function.kind = type == "s"   ? HostFunction::Kind::scalar
                    : type == "a" ? HostFunction::Kind::aggregate
                                  : HostFunction::Kind::window;
  }
}

Result<std::vector<std::string>> read_replaced_functions(sqlite3* db) {
  std::vector<std::string> replaced;
  if (sqlite3_libversion_number() < 3038000) return replaced;  // where JSON's functions are not called built-in
  auto prepared = prepare(db, "PRAGMA function_list");         // name, builtin, type, enc, narg, flags
  if (!prepared.ok() && prepared.error().code == ErrorCode::query_failed) return replaced;
  TRUSTSQL_ASSIGN_OR_RETURN(Statement statement, std::move(prepared));
  std::vector<std::string> built_in;
  std::vector<std::string> registered;
  while (true) {
    TRUSTSQL_ASSIGN_OR_RETURN(const bool row, statement.step());
    if (!row) break;
    (statement.column_integer(1) != 0 ? built_in : registered).push_back(to_lower_ascii(statement.column_text(0)));
  }
  std::ranges::sort(built_in);
  std::ranges::sort(registered);
  std::ranges::set_intersection(registered, built_in, std::back_inserter(replaced));
  replaced.erase(std::unique(replaced.begin(), replaced.end()), replaced.end());
  return replaced;
}

Result<std::vector<std::string>> read_collations(sqlite3* db) {
  TRUSTSQL_ASSIGN_OR_RETURN(Statement statement, prepare(db, "SELECT name FROM pragma_collation_list"));
  std::vector<std::string> names;
  while (true) {
    TRUSTSQL_ASSIGN_OR_RETURN(const bool row, statement.step());
    if (!row) return names;
    names.emplace_back(statement.column_text(0));
  }
}

}  // namespace trustsql
