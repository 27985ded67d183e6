#include "plan/to_sql/pieces.hpp"

#include <cmath>

#include "base/sql_keyword.hpp"
#include "base/text.hpp"
#include "sql/folding.hpp"

namespace trustsql::plan {

ast::Name sql_name(std::string_view text) {
  bool plain_word =
      !text.empty() && (std::isalpha(static_cast<unsigned char>(text.front())) != 0 || text.front() == '_');
  for (const char c : text) plain_word = plain_word && (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_');
  if (plain_word && find_keyword(text) == Keyword::None) return {std::string(text), ast::Quote::none};
  return {std::string(text), ast::Quote::double_quotes};
}

bool is_sql_integer(const ast::Expr& expr) {
  if (const auto* unary = expr.as<ast::Unary>()) {
    return (unary->op == ast::UnaryOp::minus || unary->op == ast::UnaryOp::plus) && is_sql_integer(*unary->operand);
  }
  const auto* literal = expr.as<ast::Literal>();
  return literal != nullptr ? literal->kind == ast::Literal::Kind::integer
                            : expr.is<ast::Binary>() && folded_value(expr);
}

ast::BinaryOp sql_operator(CompareOp op) {
  switch (op) {
    case CompareOp::equal: return ast::BinaryOp::equal;
    case CompareOp::not_equal: return ast::BinaryOp::not_equal;
    case CompareOp::less: return ast::BinaryOp::less;
    case CompareOp::less_equal: return ast::BinaryOp::less_equal;
    case CompareOp::greater: return ast::BinaryOp::greater;
    case CompareOp::greater_equal: return ast::BinaryOp::greater_equal;
    case CompareOp::is: return ast::BinaryOp::is;
    case CompareOp::is_not: return ast::BinaryOp::is_not;
  }
  return ast::BinaryOp::equal;
}

ast::Expr sql_literal(const Value& value) {
  using Kind = ast::Literal::Kind;
  const auto make = [](Kind kind, std::string text) { return ast::Expr{ast::Literal{kind, std::move(text)}, {}}; };
  const auto minus = [](ast::Expr operand) {
    return ast::Expr{ast::Unary{ast::UnaryOp::minus, std::move(operand)}, {}};
  };
  if (const auto* integer = std::get_if<std::int64_t>(&value)) {
    if (*integer >= 0) return make(Kind::integer, std::to_string(*integer));
    return minus(make(Kind::integer, std::to_string(0 - static_cast<std::uint64_t>(*integer))));
  }
  if (const auto* real = std::get_if<double>(&value)) {
    const bool negative = std::signbit(*real);
    const double magnitude = negative ? -*real : *real;
    // There is no literal for infinity, but one that is too large is read as infinity.
    auto text = std::isinf(magnitude) ? std::string("9e999") : format_real(magnitude);
    auto positive = make(Kind::real, std::move(text));
    return negative ? minus(std::move(positive)) : positive;
  }
  if (const auto* text = std::get_if<std::string>(&value)) return make(Kind::string, *text);
  if (const auto* blob = std::get_if<Blob>(&value)) return make(Kind::blob, blob->bytes);
  return make(Kind::null, {});
}

}  // namespace trustsql::plan
