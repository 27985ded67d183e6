// Pieces of SQL that stand for parts of a plan by themselves.
#pragma once

#include <string_view>

#include "plan/rel.hpp"
#include "sql/ast.hpp"

namespace trustsql::plan {

// An identifier, quoted where it must be.
ast::Name sql_name(std::string_view text);

// The value as a literal, a negative one under a minus.
ast::Expr sql_literal(const Value& value);

// Whether SQLite takes the expression for a whole number, by which GROUP BY and ORDER BY mean a column: its parser has
// 0 for `x AND 0`.
bool is_sql_integer(const ast::Expr& expr);

ast::BinaryOp sql_operator(CompareOp op);

}  // namespace trustsql::plan
