#include "plan/rules/arithmetic_simplification.hpp"

#include "plan/rules/common.hpp"

namespace trustsql::plan::rules {

namespace {

bool is_number(const Expr& expr, RuleContext& context) {
  return types_of(expr, context.plan(), {}).without_null().is_subset_of(types::number) || context.integers_only(expr);
}

bool simplify_arithmetic(Expr& expr, const ExprSite&, RuleContext& context) {
  if (auto* n = expr.as<Cast>()) {
    if ((n->affinity != Affinity::integer && n->affinity != Affinity::numeric) || !context.integers_only(*n->operand))
      return false;
    replace_by_part(expr, *n->operand);
    return true;
  }
  auto* n = expr.as<Binary>();
  using Op = ast::BinaryOp;
  const bool right = ((n->op == Op::add || n->op == Op::subtract) && is_integer_literal(*n->right, 0)) ||
                     ((n->op == Op::multiply || n->op == Op::divide) && is_integer_literal(*n->right, 1));
  const bool left = (n->op == Op::add && is_integer_literal(*n->left, 0)) ||
                    (n->op == Op::multiply && is_integer_literal(*n->left, 1));
  if (right && is_number(*n->left, context)) {
    replace_by_part(expr, *n->left);
    return true;
  }
  if (left && is_number(*n->right, context)) {
    replace_by_part(expr, *n->right);
    return true;
  }
  return false;
}

}  // namespace

const Rule arithmetic_simplification{
    .name = "arithmetic_simplification",
    .kinds = expr_kinds<Binary, Cast>,
    .apply = simplify_arithmetic,
    .example = arithmetic_simplification_example,
};

}  // namespace trustsql::plan::rules
