// From a syntax tree back to the text of a query.
//
// parse_query() reads the text as the same tree, and SQLite as the same statement. The text is canonical: two equal
// trees whose names have the same spelling give the same text. Keywords are in capitals, AS is always written,
// parentheses are written only where precedence requires them, and names are quoted only where necessary: as `x` where
// an unqualified "x" would become a string if there were no such column, and as "x" elsewhere.
#pragma once

#include <string>

#include "sql/ast.hpp"

namespace trustsql {

enum class PrintStyle {
  canonical,  // everything on one line
  pretty,     // lines of at most 100 characters where possible, indented by two spaces
};

std::string print_query(const ast::Query& query, PrintStyle style = PrintStyle::canonical);
std::string print_expression(const ast::Expr& expr, PrintStyle style = PrintStyle::canonical);

// The operator in SQL: "+", "IS NOT", "->>", "NOT".
std::string_view operator_text(ast::BinaryOp op);
std::string_view operator_text(ast::UnaryOp op);
std::string_view operator_text(ast::LikeOp op);
std::string_view operator_text(ast::SetOp op);

}  // namespace trustsql
