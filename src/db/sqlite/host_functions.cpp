#include "db/sqlite/host_functions.hpp"

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
