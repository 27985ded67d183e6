#include "db/sqlite/failure_cause.hpp"

#include "db/sqlite/sqlite_api.hpp"

namespace trustsql {

FailureCause failure_cause(std::string_view message) {
  using Kind = FailureCause::Kind;
  struct Unknown {
    std::string_view beginning;  // the name follows
    Kind kind;
  };
  constexpr Unknown unknown_names[] = {{"no such function: ", Kind::unknown_function},
                                       {"no such collation sequence: ", Kind::unknown_collation},
                                       {"no such module: ", Kind::unknown_module},
                                       {"no such index: ", Kind::unknown_index}};
  for (const auto& [beginning, kind] : unknown_names)
    if (message.starts_with(beginning)) return {.kind = kind, .name = std::string(message.substr(beginning.size()))};
  struct Limit {
    std::string_view beginning;
    int limit;
  };
  constexpr Limit limits[] = {{"string or blob too big", SQLITE_LIMIT_LENGTH},
                              {"statement too long", SQLITE_LIMIT_SQL_LENGTH},
                              {"too many columns", SQLITE_LIMIT_COLUMN},
                              {"Expression tree is too large", SQLITE_LIMIT_EXPR_DEPTH},
                              {"too many terms in compound SELECT", SQLITE_LIMIT_COMPOUND_SELECT},
                              {"too many arguments on function", SQLITE_LIMIT_FUNCTION_ARG},
                              {"too many attached databases", SQLITE_LIMIT_ATTACHED},
                              {"LIKE or GLOB pattern too complex", SQLITE_LIMIT_LIKE_PATTERN_LENGTH},
                              {"too many SQL variables", SQLITE_LIMIT_VARIABLE_NUMBER},
                              {"variable number must be", SQLITE_LIMIT_VARIABLE_NUMBER}};
  for (const auto& [beginning, limit] : limits)
    if (message.starts_with(beginning)) return {.kind = Kind::limit, .limit = limit};
  return {};
}

}  // namespace trustsql
