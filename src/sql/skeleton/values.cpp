#include "sql/skeleton/values.hpp"

#include <algorithm>
#include <cctype>

#include "base/text.hpp"
#include "sql/ast_walk.hpp"
#include "sql/precedence.hpp"
#include "sql/printer.hpp"

namespace trustsql::skeleton {

namespace {

const ast::Parameter placeholder{"?"};

bool is_data(const ast::Literal& literal) {
  using Kind = ast::Literal::Kind;
  return literal.kind == Kind::integer || literal.kind == Kind::real || literal.kind == Kind::string ||
         literal.kind == Kind::blob;
}

bool is_integer(const ast::Expr& expr) {
  const auto* literal = expr.as<ast::Literal>();
  return literal != nullptr && literal->kind == ast::Literal::Kind::integer;
}

bool may_be_string(const ast::Expr& expr) {
  const auto* column = expr.as<ast::ColumnRef>();
  return column != nullptr && column->may_be_string();
}

// Protects a literal from being dropped: a parameter is printed as written and does not count as data.
void protect(ast::Expr& expr) { expr.node = ast::Parameter{print_expression(expr)}; }

void drop_if_string(ast::Expr& expr) {
  if (may_be_string(expr)) expr.node = placeholder;
}

// x = "text": the side that is more likely to be a column is kept.
void drop_compared_string(ast::Expr& left, ast::Expr& right) {
  if (may_be_string(right)) {
    right.node = placeholder;
  } else if (right.is<ast::ColumnRef>()) {
    drop_if_string(left);
  }
}

bool looks_like_name(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return c == '_' || (c & 0x80) != 0 || std::isalnum(static_cast<unsigned char>(c)) != 0;
  });
}

void drop_in(ast::Query& query) {
  for (auto& term : query.order_by)
    if (is_integer(term.expr)) protect(term.expr);
}
void drop_in(ast::Select& select) {
  for (auto& expr : select.group_by)
    if (is_integer(expr)) protect(expr);
}
void drop_in(ast::Call& call) {
  if (equals_ignore_case(call.name.text, "strftime") && !call.arguments.empty()) {
    auto& format = call.arguments.front();
    const auto* column = format.as<ast::ColumnRef>();
    if (column != nullptr && column->may_be_string())
      format.node = ast::Literal{ast::Literal::Kind::string, column->column.text};
    if (format.is<ast::Literal>()) protect(format);
  }
  for (auto& argument : call.arguments) {
    const auto* column = argument.as<ast::ColumnRef>();
    if (column != nullptr && column->may_be_string() && !looks_like_name(column->column.text))
      argument.node = placeholder;
  }
}
void drop_in(ast::Binary& binary) {
  const Level level = level_of(binary.op);
  if (level == Level::equality || level == Level::comparison) drop_compared_string(*binary.left, *binary.right);
  if (binary.op == ast::BinaryOp::arrow || binary.op == ast::BinaryOp::double_arrow) drop_if_string(*binary.right);
}
void drop_in(ast::Between& between) {
  drop_if_string(*between.low);
  drop_if_string(*between.high);
}
void drop_in(ast::Like& like) {
  drop_if_string(*like.pattern);
  if (like.escape) drop_if_string(*like.escape);
}
void drop_in(ast::In& in) {
  auto* list = std::get_if<std::vector<ast::Expr>>(&in.set);
  if (list == nullptr) return;
  const auto is_value = [](const ast::Expr& expr) {
    const auto* unary = expr.as<ast::Unary>();
    const auto& bare = unary != nullptr ? *unary->operand : expr;
    return bare.is<ast::Literal>() || may_be_string(bare);
  };
  // The number of values is data as well.
  if (!list->empty() && std::all_of(list->begin(), list->end(), is_value)) list->assign(1, ast::Expr{placeholder});
}
void drop_in(ast::Expr& expr) {
  const auto* unary = expr.as<ast::Unary>();
  const bool is_sign = unary != nullptr && (unary->op == ast::UnaryOp::minus || unary->op == ast::UnaryOp::plus);
  const auto* literal = is_sign ? unary->operand->as<ast::Literal>() : expr.as<ast::Literal>();
  if (literal != nullptr && is_data(*literal)) expr.node = placeholder;
}

}  // namespace

void drop_values(ast::Query& query) {
  ast::walk(query,
            ast::Overloaded{[](ast::Query& query) { drop_in(query); }, [](ast::Select& select) { drop_in(select); },
                            [](ast::Call& call) { drop_in(call); }, [](ast::Binary& binary) { drop_in(binary); },
                            [](ast::Between& between) { drop_in(between); }, [](ast::Like& like) { drop_in(like); },
                            [](ast::In& in) { drop_in(in); }, [](ast::Expr& expr) { drop_in(expr); }});
}

}  // namespace trustsql::skeleton
