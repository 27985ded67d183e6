#include "plan/rules/truth_simplification.hpp"

#include "plan/evaluate.hpp"
#include "plan/rules/common.hpp"

namespace trustsql::plan::rules {

namespace {

// Whether all values of `expr` but NULL are numbers.
bool is_number(const Expr& expr, RuleContext& context) {
  return types_of(expr, context.plan(), {}).without_null().is_subset_of(types::number) || context.integers_only(expr);
}

// coalesce(p, 0) is true where p is: for the other rows it does not matter whether it is false or NULL.
bool drop_false_default(Expr& expr) {
  auto* function = expr.as<Function>();
  if ((function->name != "coalesce" && function->name != "ifnull") || function->info == nullptr ||
      function->arguments.size() < 2)
    return false;
  const auto* value = literal_value(function->arguments.back());
  if (value == nullptr || truth_of(*value) != Truth::no) return false;
  if (function->arguments.size() == 2) {
    Expr first = std::move(function->arguments.front());
    expr = std::move(first);
  } else {
    function->arguments.pop_back();
  }
  return true;
}

bool simplify_truth(Expr& expr, const ExprSite& site, RuleContext& context) {
  if (auto* n = expr.as<IsTruth>()) {
    if (site.truth_only && n->truth && !n->negated) {
      replace_by_part(expr, *n->operand);
      return true;
    }
    if (site.truth_only && !n->truth && !n->negated) {
      expr = negation(Expr(std::move(*n->operand)));
      return true;
    }
    if ((site.truth_only || is_boolean(*n->operand)) && context.non_null(*n->operand, site.facts())) {
      Expr operand = std::move(*n->operand);
      expr = n->truth == n->negated ? negation(std::move(operand)) : std::move(operand);
      return true;
    }
    return false;
  }
  if (auto* n = expr.as<Not>()) {
    Expr& tested = *n->operand;
    if ((!tested.is<Column>() && !tested.is<Binary>() && !tested.is<Unary>()) || !is_number(tested, context))
      return false;
    Expr equals_zero = compare(CompareOp::equal, std::move(tested), literal(std::int64_t{0}));
    expr = std::move(equals_zero);
    return true;
  }
  if (expr.is<Function>()) return site.truth_only && drop_false_default(expr);
  if (expr.is<Column>() || expr.is<Binary>() || expr.is<Unary>()) {
    // Also inside AND and OR, whose terms are sites of their own; but not everything that is tested is a number.
    if (!site.truth_only || !is_number(expr, context)) return false;
    expr = compare(CompareOp::not_equal, std::move(expr), literal(std::int64_t{0}));
    return true;
  }
  auto* n = expr.as<Compare>();
  if (!site.truth_only) return false;
  const auto* integer = literal_as<std::int64_t>(*n->right);
  if (integer == nullptr || (*integer != 0 && *integer != 1)) return false;
  const bool boolean = is_boolean(*n->left);
  if (!boolean || n->how.affinity == Affinity::text) return false;
  const bool is_false_test =
      (n->op == CompareOp::equal && *integer == 0) || (n->op == CompareOp::not_equal && *integer == 1);
  const bool is_true_test =
      (n->op == CompareOp::equal && *integer == 1) || (n->op == CompareOp::not_equal && *integer == 0);
  if (is_false_test) {
    expr = negation(Expr(std::move(*n->left)));
  } else if (is_true_test) {
    replace_by_part(expr, *n->left);
  }
  return is_false_test || is_true_test;
}

}  // namespace

const Rule truth_simplification{
    .name = "truth_simplification",
    .kinds = expr_kinds<IsTruth, Column, Unary, Binary, Compare, Function, Not>,
    .apply = simplify_truth,
    .example = truth_simplification_example,
};

}  // namespace trustsql::plan::rules
