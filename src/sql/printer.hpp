// From a syntax tree back to the text of a query.
//
// The text is one that parse_query() reads as the same tree, and SQLite as the same statement. It is canonical: two
// equal trees whose names are written alike give the same text. Keywords are in capitals, AS is always written,
// parentheses stand only where precedence needs them, and names are quoted only where they must be: `x`, where an
// unqualified "x" would turn into a string if there were no such column, and "x" elsewhere.
#pragma once

#include <string>

#include "sql/ast.hpp"

namespace trustsql {

enum class PrintStyle {
  canonical,  // all in one line
  pretty,     // lines of at most 100 characters where that can be had, indented by two
};

std::string print_query(const ast::Query& query, PrintStyle style = PrintStyle::canonical);
std::string print_expression(const ast::Expr& expr, PrintStyle style = PrintStyle::canonical);

// The operator as SQL has it: "+", "IS NOT", "->>", "NOT".
std::string_view operator_text(ast::BinaryOp op);
std::string_view operator_text(ast::UnaryOp op);
std::string_view operator_text(ast::LikeOp op);
std::string_view operator_text(ast::SetOp op);

}  // namespace trustsql
