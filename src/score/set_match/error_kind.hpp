// What kind of error a wrong prediction has: the kinds of DART-SQL's Table 4.
//
// The paper sorts errors by hand: wrong values; bugs in WHERE and HAVING; mistakes in the names of tables and columns,
// or too many columns selected; others. Here the syntax trees are instead compared part by part, without a schema and
// without running anything, after both queries are put into a canonical form: aliases are replaced by what they stand
// for, the order of operands of AND, =, <> and inner joins is ignored, comma joins become joins with ON, "text" is a
// string.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "sql/ast.hpp"

namespace trustsql {

enum class ErrorKind : std::uint8_t {
  values,        // only literals differ
  conditions,    // WHERE or HAVING differs, and perhaps literals
  table_column,  // names differ: tables, joins, or the columns selected, grouped by or sorted by; too few or too many
                 // of them
  others,        // everything else: aggregates, set operators, DISTINCT, LIMIT, nesting in FROM, several kinds at once
};

// "values", "conditions", "table/column", "others".
std::string_view error_kind_name(ErrorKind kind);

// nullopt if no difference is found; the prediction may still be wrong, or it may be right.
std::optional<ErrorKind> error_kind(const ast::Query& gold, const ast::Query& prediction);

}  // namespace trustsql
