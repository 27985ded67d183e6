#include "sql/folding.hpp"

namespace trustsql {

namespace {

bool is_zero(const ast::Literal& literal) {
  return literal.kind == ast::Literal::Kind::integer && literal.text.find_first_not_of("0xX") == std::string::npos;
}

}  // namespace

std::optional<bool> folded_value(const ast::Expr& expr) {
  if (const auto* in = expr.as<ast::In>()) {
    const auto* list = std::get_if<std::vector<ast::Expr>>(&in->set);
    if (list != nullptr && list->empty()) return in->negated;
  } else if (const auto* binary = expr.as<ast::Binary>();
             binary != nullptr && binary->op == ast::BinaryOp::logical_and) {
    if (is_parsed_as_false(*binary->right) || is_parsed_as_false(*binary->left)) return false;
  }
  return std::nullopt;
}

bool is_parsed_as_false(const ast::Expr& expr) {
  const auto* literal = expr.as<ast::Literal>();
  return literal != nullptr ? is_zero(*literal) : folded_value(expr) == false;
}

}  // namespace trustsql
