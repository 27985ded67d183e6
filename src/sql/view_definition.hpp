// The query of a view, from the text of its CREATE VIEW (https://sqlite.org/lang_createview.html).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "sql/parser.hpp"

namespace trustsql {

struct ViewDefinition {
  std::vector<std::string>
      columns;  // the names in parentheses after the view's name; empty: the names of the query's columns
  ast::Query query;
};

// Reads `sql`, as stored in sqlite_schema: CREATE [TEMP] VIEW [IF NOT EXISTS] name [(columns)] AS query. The part
// before the query is assumed to be valid, since SQLite accepted it. Errors: invalid_argument if there is no AS, and
// those of parse_query().
Result<ViewDefinition> parse_view(std::string_view sql, const ParseOptions& grammar = {});

}  // namespace trustsql
