// What SQLite's parser replaces by a constant.
//
// It does so before any name is looked at: SELECT 0 AND nope, nope(1) IN () prepares, whatever nope is. So what stands
// in such an expression means nothing, and is not resolved either.
#pragma once

#include <optional>

#include "sql/ast.hpp"

namespace trustsql {

// The truth value that takes the place of `expr`, nullopt if none does: x IN () is FALSE and x NOT IN () TRUE; a AND b
// is 0 where one of them is the integer literal 0 or is replaced by FALSE. Looks no deeper than ANDs reach.
std::optional<bool> folded_value(const ast::Expr& expr);

// Whether a condition is false as far as SQLite's parser knows: the literal 0, or replaced by FALSE. (FALSE itself is
// not, as it might be a column.)
bool is_parsed_as_false(const ast::Expr& expr);

}  // namespace trustsql
