// The data flows of a query: which column of which table goes into which clause.
#pragma once

#include <cstddef>
#include <string>
#include <unordered_map>

#include "base/result.hpp"
#include "sql/ast.hpp"

namespace trustsql {

// "table.column -> clause", as often as it occurs, at any depth. Of the query with its aliases replaced, as in its
// skeleton; a column that does not tell its table belongs to the one table of its SELECT, or to "?". Errors: of
// normalise_names().
Result<std::unordered_map<std::string, std::size_t>> data_flows(const ast::Query& query);

}  // namespace trustsql
