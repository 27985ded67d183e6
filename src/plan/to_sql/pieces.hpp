// SQL for small parts of a plan: names, literals, operators.
#pragma once

#include <string_view>

#include "plan/rel.hpp"
#include "sql/ast.hpp"

namespace trustsql::plan {

// An identifier, quoted if necessary.
ast::Name sql_name(std::string_view text);

// The value as a literal; a negative number is a literal under a unary minus.
ast::Expr sql_literal(const Value& value);

// Whether SQLite takes the expression for an integer literal, which in GROUP BY and ORDER BY refers to a column: its
// parser reduces `x AND 0` to 0.
bool is_sql_integer(const ast::Expr& expr);

ast::BinaryOp sql_operator(CompareOp op);

}  // namespace trustsql::plan
