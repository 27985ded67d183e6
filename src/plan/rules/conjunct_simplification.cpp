#include "plan/rules/conjunct_simplification.hpp"

#include <algorithm>

#include "plan/rules/cluster.hpp"
#include "plan/rules/common.hpp"
#include "plan/strictness.hpp"

namespace trustsql::plan::rules {

namespace {

bool flatten(std::vector<Expr>& conjuncts) {
  if (std::none_of(conjuncts.begin(), conjuncts.end(), [](const Expr& c) { return c.is<And>(); })) return false;
  std::vector<Expr> flat;
  for (auto& conjunct : conjuncts) {
    if (auto* both = conjunct.as<And>()) {
      for (auto& term : both->terms) flat.push_back(std::move(term));
    } else {
      flat.push_back(std::move(conjunct));
    }
  }
  conjuncts = std::move(flat);
  return true;
}

// Drops conditions that the others imply.
bool drop_superfluous(std::vector<Expr>& conjuncts, const Plan& plan) {
  const auto before = conjuncts.size();
  std::erase_if(conjuncts, is_true_literal);
  for (std::size_t i = 0; i < conjuncts.size(); ++i) {
    const auto same = std::remove_if(conjuncts.begin() + static_cast<std::ptrdiff_t>(i) + 1, conjuncts.end(),
                                     [&](const Expr& other) { return other == conjuncts[i] && !is_volatile(other); });
    conjuncts.erase(same, conjuncts.end());
  }
  for (std::size_t i = 0; i < conjuncts.size();) {
    const auto* test = conjuncts[i].as<IsNull>();
    const auto* id = test != nullptr && test->negated ? column_id(*test->operand) : nullptr;
    bool implied = false;
    for (std::size_t j = 0; id != nullptr && j < conjuncts.size(); ++j)
      implied = implied || (i != j && null_rejected(conjuncts[j], plan).contains(*id));
    if (implied) {
      conjuncts.erase(conjuncts.begin() + static_cast<std::ptrdiff_t>(i));
    } else {
      ++i;
    }
  }
  return conjuncts.size() != before;
}

bool simplify_conjuncts(Rel& rel, RuleContext& context) {
  auto& conjuncts = *conjuncts_of(rel);
  bool changed = flatten(conjuncts);
  if (!conjuncts.empty() && drop_superfluous(conjuncts, context.plan())) changed = true;
  auto* filter = rel.as<Filter>();
  if (filter == nullptr) return changed;
  if (conjuncts.empty()) {
    replace_by_descendant(rel, *filter->input);
    return true;
  }
  if (auto* inner = filter->input->as<Filter>()) {
    for (auto& conjunct : conjuncts) inner->conjuncts.push_back(std::move(conjunct));
    replace_by_descendant(rel, *filter->input);
    return true;
  }
  return changed;
}

}  // namespace

const Rule conjunct_simplification{
    .name = "conjunct_simplification",
    .kinds = rel_kinds<Filter, Join, Apply>,
    .apply = simplify_conjuncts,
    .example = conjunct_simplification_example,
};

}  // namespace trustsql::plan::rules
