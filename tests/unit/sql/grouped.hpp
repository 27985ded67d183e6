// Expressions with all their parentheses, to show how they were read.
#pragma once

#include <string>

#include "sql/ast.hpp"

namespace trustsql {

// The text with parentheses around every operator. What is inside calls, CASE and other primary expressions is printed
// as print_expression() does.
std::string grouped(const ast::Expr& expr);

}  // namespace trustsql
