// The data flows of a query: which column of which table is used in which clause.
#pragma once

#include <cstddef>
#include <string>
#include <unordered_map>

#include "base/result.hpp"
#include "sql/ast.hpp"

namespace trustsql {

// "table.column -> clause" with its number of occurrences, at any depth. Computed on the query with its aliases
// replaced, as in its skeleton; a column without a table name belongs to the only table of its SELECT, or to "?".
// Errors: those of normalise_names().
Result<std::unordered_map<std::string, std::size_t>> data_flows(const ast::Query& query);

}  // namespace trustsql
