#include "sql/folding.hpp"

#include "sql/ast_walk.hpp"

namespace trustsql {

namespace {

bool is_zero(const ast::Literal& literal) {
  return literal.kind == ast::Literal::Kind::integer && literal.text.find_first_not_of("0xX") == std::string::npos;
}

// Whether SQLite's parser makes a function call of a part of the expression. It does not look into subqueries.
bool calls_function(const ast::Expr& expr) {
  bool calls = false;
  ast::walk(expr,
            ast::Overloaded{
                [&](const ast::Call&) { calls = true; }, [&](const ast::Like&) { calls = true; },
                [&](const ast::Literal& literal) { calls = calls || literal.kind >= ast::Literal::Kind::current_date; },
                [&](const ast::Binary& binary) {
                  calls = calls || binary.op == ast::BinaryOp::arrow || binary.op == ast::BinaryOp::double_arrow;
                },
                [](const ast::Query&) { return false; }});
  return calls;
}

}  // namespace

bool is_dropped(const ast::Expr& expr, int version) {
  return folded_value(expr) && (version < 3'051'000 || !calls_function(expr));
}

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
