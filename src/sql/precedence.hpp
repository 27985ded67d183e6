// How tightly the operators of SQLite's SQL bind: used by the parser for precedence climbing, and by the printer to
// decide where parentheses are needed.
#pragma once

#include "sql/ast.hpp"

namespace trustsql {

// Loosest first, as in the %left and %right lines of SQLite's parse.y
// (https://sqlite.org/lang_expr.html#operators_and_parse_affecting_attributes). ESCAPE, which has its own level there,
// is not an operator here but a part of LIKE.
enum class Level : std::uint8_t {
  none,  // no operator
  logical_or,
  logical_and,
  logical_not,
  equality,  // = <> IS LIKE BETWEEN IN ISNULL
  comparison,
  bits,
  sum,
  product,
  concat,
  collate,
  prefix,   // - + ~
  primary,  // never needs parentheses
};

constexpr Level tighter(Level level) { return static_cast<Level>(static_cast<std::uint8_t>(level) + 1); }

constexpr Level level_of(ast::BinaryOp op) {
  using enum ast::BinaryOp;
  switch (op) {
    case logical_or: return Level::logical_or;
    case logical_and: return Level::logical_and;
    case equal:
    case not_equal:
    case is:
    case is_not: return Level::equality;
    case less:
    case less_equal:
    case greater:
    case greater_equal: return Level::comparison;
    case bit_and:
    case bit_or:
    case shift_left:
    case shift_right: return Level::bits;
    case add:
    case subtract: return Level::sum;
    case multiply:
    case divide:
    case remainder: return Level::product;
    case concat:
    case arrow:
    case double_arrow: return Level::concat;
  }
  return Level::none;
}

// The level of the operator at the top of the expression; primary if it is not an operator.
inline Level level_of(const ast::Expr& expr) {
  if (const auto* binary = expr.as<ast::Binary>()) return level_of(binary->op);
  if (const auto* unary = expr.as<ast::Unary>())
    return unary->op == ast::UnaryOp::logical_not ? Level::logical_not : Level::prefix;
  if (expr.is<ast::IsNull>() || expr.is<ast::Between>() || expr.is<ast::Like>() || expr.is<ast::In>())
    return Level::equality;
  if (expr.is<ast::Collate>()) return Level::collate;
  return Level::primary;
}

}  // namespace trustsql
