#include "unit/sql/grouped.hpp"

#include <initializer_list>

#include "sql/printer.hpp"

namespace trustsql {

namespace {

std::string in_parentheses(std::initializer_list<std::string_view> words) {
  std::string text = "(";
  for (const auto word : words) {
    if (word.empty()) continue;
    if (text.size() > 1) text += ' ';
    text += word;
  }
  return text += ')';
}

}  // namespace

std::string grouped(const ast::Expr& expr) {
  if (const auto* unary = expr.as<ast::Unary>())
    return in_parentheses({operator_text(unary->op), grouped(*unary->operand)});
  if (const auto* b = expr.as<ast::Binary>())
    return in_parentheses({grouped(*b->left), operator_text(b->op), grouped(*b->right)});
  if (const auto* n = expr.as<ast::IsNull>())
    return in_parentheses({grouped(*n->operand), n->negated ? "NOTNULL" : "ISNULL"});
  if (const auto* b = expr.as<ast::Between>())
    return in_parentheses(
        {grouped(*b->operand), b->negated ? "NOT" : "", "BETWEEN", grouped(*b->low), "AND", grouped(*b->high)});
  if (const auto* like = expr.as<ast::Like>()) {
    const std::string escape = like->escape ? grouped(*like->escape) : "";
    return in_parentheses({grouped(*like->operand), like->negated ? "NOT" : "", operator_text(like->op),
                           grouped(*like->pattern), like->escape ? "ESCAPE" : "", escape});
  }
  if (const auto* collate = expr.as<ast::Collate>())
    return in_parentheses({grouped(*collate->operand), "COLLATE", collate->collation.text});
  return print_expression(expr);
}

}  // namespace trustsql
