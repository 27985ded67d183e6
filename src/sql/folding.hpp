// Expressions that SQLite's parser replaces by a constant.
//
// It does so before it resolves any name: SELECT 0 AND nope, nope(1) IN () prepares, whatever nope is. So the operands
// of such an expression have no meaning, and are not resolved here either.
#pragma once

#include <optional>

#include "sql/ast.hpp"

namespace trustsql {

// The truth value that replaces `expr`; nullopt if it is not replaced. x IN () is FALSE and x NOT IN () is TRUE; a AND
// b is 0 if a or b is the integer literal 0 or is replaced by FALSE. Only nested ANDs are searched. An expression that
// is not replaced because of a function in it has that value as well.
std::optional<bool> folded_value(const ast::Expr& expr);

// Whether the parser of this version of SQLite replaces `expr`, so that its operands have no meaning. From 3.51 on it
// does not if they call a function, which may be an aggregate.
bool is_dropped(const ast::Expr& expr, int version);

// Whether SQLite's parser knows that a condition is false: it is the literal 0 or is replaced by FALSE. (FALSE itself
// does not count, as it might be a column.)
bool is_parsed_as_false(const ast::Expr& expr);

}  // namespace trustsql
