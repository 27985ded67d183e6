#include "plan/rules/case_simplification.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "plan/rules/common.hpp"

namespace trustsql::plan::rules {

namespace {

// The condition under which a CASE whose results are all literals is true: a branch with a true result is, and those
// before it with another result are not. Moves the conditions out; nullopt if one would be needed twice.
std::optional<Expr> truth_of_case(Case& choice) {
  const auto is_known = [](const Box<Expr>& result) { return is_true_literal(*result) || is_untrue_literal(*result); };
  if (choice.otherwise && !is_known(choice.otherwise)) return std::nullopt;
  bool after_untrue = false;
  int choices = 0;  // true results after another result
  for (const auto& branch : choice.branches) {
    if (!is_known(branch.result)) return std::nullopt;
    const bool is_true = is_true_literal(*branch.result);
    if (is_true && after_untrue) ++choices;
    after_untrue = after_untrue || !is_true;
  }
  const bool true_otherwise = choice.otherwise && is_true_literal(*choice.otherwise);
  if (choices + (true_otherwise ? 1 : 0) > 1) return std::nullopt;
  std::vector<Expr> alternatives;
  std::vector<Expr> failed;  // the conditions of branches with other results are not true
  for (auto& branch : choice.branches) {
    if (!is_true_literal(*branch.result)) {
      failed.emplace_back(IsTruth{std::move(*branch.condition), true, true});
      continue;
    }
    auto all = std::exchange(failed, {});
    all.push_back(std::move(*branch.condition));
    alternatives.push_back(conjunction(std::move(all)));
  }
  if (true_otherwise) alternatives.push_back(conjunction(std::move(failed)));
  return disjunction(std::move(alternatives));
}

// NULLIF, if the CASE returns an operand unless it equals another one; nullopt if it is something else.
std::optional<Expr> as_nullif(const Case& choice) {
  if (choice.branches.size() != 1 || !choice.otherwise) return std::nullopt;
  const auto& branch = choice.branches.front();
  const auto* test = branch.condition->as<Compare>();
  const auto* info = FunctionTable::latest().find("nullif", 2);
  if (test == nullptr || test->op != CompareOp::equal || test->how.affinity != Affinity::none ||
      !is_null_literal(*branch.result) || info == nullptr)
    return std::nullopt;
  const Expr& kept = *choice.otherwise;
  const Expr* other = kept == *test->left ? test->right.get() : kept == *test->right ? test->left.get() : nullptr;
  if (other == nullptr || !is_repeatable(kept)) return std::nullopt;
  Function nullif;
  nullif.name = info->name;
  nullif.info = info;
  nullif.collation = test->how.collation;
  nullif.arguments = {kept, *other};
  return Expr{std::move(nullif)};
}

// COALESCE, if the CASE returns an expression unless it is NULL; nullopt if it is something else.
std::optional<Expr> as_coalesce(const Case& choice) {
  if (choice.branches.size() != 1 || !choice.otherwise) return std::nullopt;
  const auto& branch = choice.branches.front();
  const auto* test = branch.condition->as<IsNull>();
  const auto* info = FunctionTable::latest().find("coalesce", 2);
  if (test == nullptr || info == nullptr || !is_repeatable(*test->operand)) return std::nullopt;
  const Expr& value = test->negated ? *branch.result : *choice.otherwise;
  const Expr& instead = test->negated ? *choice.otherwise : *branch.result;
  if (!(value == *test->operand)) return std::nullopt;
  Function coalesce;
  coalesce.name = info->name;
  coalesce.info = info;
  coalesce.arguments = {value, instead};
  return Expr{std::move(coalesce)};
}

// A comparison with the result of a CASE of one branch is true only for that branch. `condition` is the truth of the
// comparison.
bool compare_only_branch(Expr& condition) {
  auto& n = *condition.as<Compare>();
  if (n.op == CompareOp::is || n.op == CompareOp::is_not) return false;
  for (auto* side : {&n.left, &n.right}) {
    auto* choice = (*side)->as<Case>();
    if (choice == nullptr || choice->operand || choice->branches.size() != 1) continue;
    if (choice->otherwise) {
      Expr other = condition;
      auto& compared = *other.as<Compare>();
      (side == &n.left ? compared.left : compared.right) = choice->otherwise;
      const bool literals = compared.left->is<Literal>() && compared.right->is<Literal>();
      const auto value = literals ? evaluate(other) : std::nullopt;
      if (!is_null_literal(*choice->otherwise) && (!value || !is_untrue_literal(literal(*value)))) continue;
    }
    std::vector<Expr> both;
    both.push_back(std::move(*choice->branches.front().condition));
    Expr result = std::move(*choice->branches.front().result);
    *side = std::move(result);
    both.push_back(std::move(condition));
    condition = conjunction(std::move(both));
    return true;
  }
  return false;
}

bool simplify_case(Expr& expr, const ExprSite& site, RuleContext&) {
  if (expr.is<Compare>()) return site.truth_only && compare_only_branch(expr);
  auto* n = expr.as<Case>();
  if (n->operand) {
    if (!is_repeatable(*n->operand) || !is_short(*n->operand)) return false;
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
  if (site.truth_only) {
    if (auto truth = truth_of_case(*n)) {
      expr = *std::move(truth);
      return true;
    }
  }
  if (auto nullif = as_nullif(*n)) {
    expr = *std::move(nullif);
    return true;
  }
  if (auto coalesce = as_coalesce(*n)) {
    expr = *std::move(coalesce);
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
    .kinds = expr_kinds<Case, Compare>,
    .apply = simplify_case,
    .example = case_simplification_example,
};

}  // namespace trustsql::plan::rules
