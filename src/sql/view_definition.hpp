// The query behind a view, from the text of its CREATE VIEW (https://sqlite.org/lang_createview.html).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "sql/ast.hpp"

namespace trustsql {

struct ViewDefinition {
  std::vector<std::string> columns;  // the names in parentheses behind the view's name; empty: those of the query
  ast::Query query;
};

// Reads `sql`, as sqlite_schema has it: CREATE [TEMP] VIEW [IF NOT EXISTS] name [(columns)] AS query. What stands
// before the query is taken to be right, since SQLite took it. Errors: invalid_argument without an AS, and those of
// parse_query().
Result<ViewDefinition> parse_view(std::string_view sql);

}  // namespace trustsql
