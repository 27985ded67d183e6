#include "plan/rules/negation_pushdown.hpp"

#include "plan/rules/common.hpp"

namespace trustsql::plan::rules {

namespace {

template <class Junction>
Expr dual(auto& terms) {
  Junction result;
  for (auto& term : terms) result.terms.push_back(negation(std::move(term)));
  return {std::move(result)};
}

// Negates the results of a CASE, if all are literals.
bool negate_results(Case& choice) {
  if (choice.otherwise && !choice.otherwise->is<Literal>()) return false;
  for (const auto& branch : choice.branches) {
    if (!branch.result->is<Literal>()) return false;
  }
  const auto negate = [](Box<Expr>& result) {
    const auto truth = truth_of(*literal_value(*result));
    if (!truth) return false;
    result = *truth == Truth::null ? literal({}) : literal(std::int64_t{*truth == Truth::no ? 1 : 0});
    return true;
  };
  auto negated = choice;
  for (auto& branch : negated.branches) {
    if (!negate(branch.result)) return false;
  }
  if (negated.otherwise && !negate(negated.otherwise)) return false;
  choice = std::move(negated);
  return true;
}

bool push_negation(Expr& expr, const ExprSite& site, RuleContext&) {
  Expr& operand = *expr.as<Not>()->operand;
  if (auto* n = operand.as<Compare>()) {
    n->op = negated(n->op);
  } else if (auto* n = operand.as<IsNull>()) {
    n->negated = !n->negated;
  } else if (auto* n = operand.as<IsTruth>()) {
    n->negated = !n->negated;
  } else if (auto* n = operand.as<Between>()) {
    n->negated = !n->negated;
  } else if (auto* n = operand.as<InList>()) {
    n->negated = !n->negated;
  } else if (auto* n = operand.as<Like>(); n != nullptr && is_boolean(operand)) {
    n->negated = !n->negated;
  } else if (auto* n = operand.as<Exists>()) {
    n->negated = !n->negated;
  } else if (auto* n = operand.as<InSubquery>()) {
    n->negated = !n->negated;
  } else if (auto* n = operand.as<Case>(); n != nullptr && negate_results(*n)) {
    // The results are 0, 1 or NULL now.
  } else if (auto* n = operand.as<And>()) {
    expr = dual<Or>(n->terms);
    return true;
  } else if (auto* n = operand.as<Or>()) {
    expr = dual<And>(n->terms);
    return true;
  } else if (auto* n = operand.as<Not>(); n != nullptr && (site.truth_only || is_boolean(*n->operand))) {
    replace_by_part(expr, *n->operand);
    return true;
  } else {
    return false;
  }
  replace_by_part(expr, operand);
  return true;
}

}  // namespace

const Rule negation_pushdown{
    .name = "negation_pushdown",
    .kinds = expr_kinds<Not>,
    .apply = push_negation,
    .example = negation_pushdown_example,
};

}  // namespace trustsql::plan::rules
