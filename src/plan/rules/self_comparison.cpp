#include "plan/rules/self_comparison.hpp"

#include "plan/rules/common.hpp"

namespace trustsql::plan::rules {

namespace {

bool simplify_self_comparison(Expr& expr, const ExprSite& site, RuleContext& context) {
  auto* n = expr.as<Compare>();
  if (n->left->is<Literal>() || !(*n->left == *n->right) || !is_repeatable(*n->left)) return false;
  const bool holds = n->op == CompareOp::equal || n->op == CompareOp::less_equal || n->op == CompareOp::greater_equal ||
                     n->op == CompareOp::is;
  const bool never_null =
      n->op == CompareOp::is || n->op == CompareOp::is_not || context.non_null(*n->left, site.facts());
  if (never_null || (site.truth_only && !holds)) {
    expr = literal(std::int64_t{holds ? 1 : 0});
    return true;
  }
  if (!site.truth_only) return false;
  expr = is_null(std::move(*n->left), true);
  return true;
}

}  // namespace

const Rule self_comparison{
    .name = "self_comparison",
    .kinds = expr_kinds<Compare>,
    .apply = simplify_self_comparison,
    .example = self_comparison_example,
};

}  // namespace trustsql::plan::rules
