#include "sql/printer.hpp"

#include "sql/printer/printer_impl.hpp"

namespace trustsql {

namespace {

constexpr std::size_t pretty_width = 100;

printer::Layout layout_for(PrintStyle style) { return printer::Layout(style == PrintStyle::pretty ? pretty_width : 0); }

}  // namespace

std::string print_query(const ast::Query& query, PrintStyle style) {
  auto layout = layout_for(style);
  printer::Printer printer(layout);
  printer.find_text_names(query);
  printer.print(query);
  return std::move(layout).take();
}

std::string print_expression(const ast::Expr& expr, PrintStyle style) {
  auto layout = layout_for(style);
  printer::Printer(layout).print(expr);
  return std::move(layout).take();
}

std::string_view operator_text(ast::BinaryOp op) {
  using enum ast::BinaryOp;
  switch (op) {
    case logical_or: return "OR";
    case logical_and: return "AND";
    case equal: return "=";
    case not_equal: return "!=";
    case is: return "IS";
    case is_not: return "IS NOT";
    case less: return "<";
    case less_equal: return "<=";
    case greater: return ">";
    case greater_equal: return ">=";
    case bit_and: return "&";
    case bit_or: return "|";
    case shift_left: return "<<";
    case shift_right: return ">>";
    case add: return "+";
    case subtract: return "-";
    case multiply: return "*";
    case divide: return "/";
    case remainder: return "%";
    case concat: return "||";
    case arrow: return "->";
    case double_arrow: return "->>";
  }
  return {};
}

std::string_view operator_text(ast::UnaryOp op) {
  switch (op) {
    case ast::UnaryOp::minus: return "-";
    case ast::UnaryOp::plus: return "+";
    case ast::UnaryOp::bit_not: return "~";
    case ast::UnaryOp::logical_not: return "NOT";
  }
  return {};
}

std::string_view operator_text(ast::LikeOp op) {
  switch (op) {
    case ast::LikeOp::like: return "LIKE";
    case ast::LikeOp::glob: return "GLOB";
    case ast::LikeOp::regexp: return "REGEXP";
    case ast::LikeOp::match: return "MATCH";
  }
  return {};
}

std::string_view operator_text(ast::SetOp op) {
  switch (op) {
    case ast::SetOp::union_distinct: return "UNION";
    case ast::SetOp::union_all: return "UNION ALL";
    case ast::SetOp::intersect: return "INTERSECT";
    case ast::SetOp::except: return "EXCEPT";
  }
  return {};
}

}  // namespace trustsql
