// What kind of error a wrong prediction has: the kinds of DART-SQL's Table 4.
//
// The paper sorts errors by hand: wrong values; bugs in WHERE and HAVING; mistakes in the names of tables and columns,
// or columns selected too many; others. Here the syntax trees are compared part by part instead, without a schema and
// without running anything, after what means the same is made the same: aliases become what they stand for, AND, =, <>
// and inner joins lose their order, comma joins become joins with ON, "text" is a string.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "sql/ast.hpp"

namespace trustsql {

enum class ErrorKind : std::uint8_t {
  values,        // only literals differ
  conditions,    // WHERE and HAVING, and maybe literals
  table_column,  // names: tables, how they are joined, columns selected, grouped and sorted by; too few or too many of
                 // them
  others,        // all else: aggregates, set operators, DISTINCT, LIMIT, nesting in FROM, several kinds at once
};

// "values", "conditions", "table/column", "others".
std::string_view error_kind_name(ErrorKind kind);

// nullopt where no difference is seen; the prediction may be wrong all the same, or right.
std::optional<ErrorKind> error_kind(const ast::Query& gold, const ast::Query& prediction);

}  // namespace trustsql
