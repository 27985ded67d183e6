#include "plan/rules/case_simplification.hpp"

#include <algorithm>

#include "plan/rules/common.hpp"

namespace trustsql::plan::rules {

namespace {

bool simplify_case(Expr& expr, const ExprSite& site, RuleContext&) {
  auto* n = expr.as<Case>();
  if (n->operand) {
    if (!is_repeatable(*n->operand)) return false;
    for (auto& branch : n->branches) {
      branch.condition = compare(CompareOp::equal, Expr(*n->operand), std::move(*branch.condition), branch.how);
      branch.how = {};
    }
    n->operand = {};
    return true;
  }
  bool changed = false;
  const auto never = std::remove_if(n->branches.begin(), n->branches.end(),
                                    [](const Branch& b) { return is_untrue_literal(*b.condition); });
  changed = never != n->branches.end();
  n->branches.erase(never, n->branches.end());
  for (std::size_t i = 0; i < n->branches.size(); ++i) {
    if (!is_true_literal(*n->branches[i].condition)) continue;
    Box<Expr> result = std::move(n->branches[i].result);
    n->branches.erase(n->branches.begin() + static_cast<std::ptrdiff_t>(i), n->branches.end());
    n->otherwise = std::move(result);
    changed = true;
    break;
  }
  if (n->otherwise && is_null_literal(*n->otherwise) && !n->branches.empty()) {
    n->otherwise = {};
    changed = true;
  }
  if (n->branches.empty()) {
    expr = n->otherwise ? Expr(std::move(*n->otherwise)) : literal({});
    return true;
  }
  const bool all_equal = n->otherwise && std::all_of(n->branches.begin(), n->branches.end(), [&](const Branch& b) {
                           return *b.result == *n->otherwise && is_repeatable(*b.condition);
                         });
  if (all_equal) {
    replace_by_part(expr, *n->otherwise);
    return true;
  }
  if (site.truth_only && n->branches.size() == 1 && is_true_literal(*n->branches.front().result) &&
      (!n->otherwise || is_untrue_literal(*n->otherwise))) {
    replace_by_part(expr, *n->branches.front().condition);
    return true;
  }
  if (n->branches.size() == 1 && n->otherwise) {
    const auto& result = *n->branches.front().result;
    const bool says_true = is_integer_literal(result, 1) && is_integer_literal(*n->otherwise, 0);
    if (says_true || (is_integer_literal(result, 0) && is_integer_literal(*n->otherwise, 1))) {
      Expr condition = std::move(*n->branches.front().condition);
      expr = Expr{IsTruth{std::move(condition), true, !says_true}};
      return true;
    }
  }
  return changed;
}

}  // namespace

const Rule case_simplification{
    .name = "case_simplification",
    .kinds = expr_kinds<Case>,
    .apply = simplify_case,
    .example = case_simplification_example,
};

}  // namespace trustsql::plan::rules
