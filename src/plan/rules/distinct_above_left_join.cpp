#include "plan/rules/distinct_above_left_join.hpp"

#include <algorithm>

#include "plan/rules/common.hpp"

namespace trustsql::plan::rules {

namespace {

bool has_identical_equals(const Rel& rel, const Plan& plan) {
  const auto ids = outputs(rel);
  return std::all_of(ids.begin(), ids.end(), [&](AttributeId id) { return equal_is_identical(column(id), plan); });
}

// The rows that a DISTINCT under BINARY reads, of columns of which equal values are identical; nullptr for another
// relation.
Rel* distinct_input(Rel& rel, const Plan& plan) {
  auto* distinct = rel.as<Distinct>();
  if (distinct == nullptr || !distinct->collations.empty()) return nullptr;
  return has_identical_equals(rel, plan) ? distinct->input.get() : nullptr;
}

// Whether no two rows of the relation are equal, and equal values are identical.
bool is_distinct(const Rel& rel, RuleContext& context) {
  return has_identical_equals(rel, context.plan()) && context.superkey(output_set(rel), context.facts(rel));
}

bool pull_distinct_up(Rel& rel, RuleContext& context) {
  auto* join = rel.as<Join>();
  if (join->type != JoinType::left) return false;
  auto* left = distinct_input(*join->left, context.plan());
  if (left == nullptr || is_volatile(rel)) return false;
  auto* right = distinct_input(*join->right, context.plan());
  if (right == nullptr && !is_distinct(*join->right, context)) return false;
  replace_by_descendant(*join->left, *left);
  if (right != nullptr) replace_by_descendant(*join->right, *right);
  Rel joined = std::move(rel);
  rel = Rel{Distinct{std::move(joined), {}}};
  return true;
}

}  // namespace

const Rule distinct_above_left_join{
    .name = "distinct_above_left_join",
    .kinds = rel_kinds<Join>,
    .apply = pull_distinct_up,
    .example = distinct_above_left_join_example,
};

}  // namespace trustsql::plan::rules
