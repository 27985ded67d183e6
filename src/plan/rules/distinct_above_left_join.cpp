#include "plan/rules/distinct_above_left_join.hpp"

#include <algorithm>

#include "plan/rules/common.hpp"

namespace trustsql::plan::rules {

namespace {

// The rows that a DISTINCT under BINARY reads, of columns of which equal values are identical; nullptr for another
// relation.
Rel* distinct_input(Rel& rel, const Plan& plan) {
  auto* distinct = rel.as<Distinct>();
  if (distinct == nullptr || !distinct->collations.empty()) return nullptr;
  const auto ids = outputs(rel);
  const bool identical =
      std::all_of(ids.begin(), ids.end(), [&](AttributeId id) { return equal_is_identical(column(id), plan); });
  return identical ? distinct->input.get() : nullptr;
}

// Whether rows of the relation that are equal are one row, and equal values identical.
bool is_distinct(const Rel& rel, RuleContext& context) {
  const auto ids = outputs(rel);
  const bool identical = std::all_of(ids.begin(), ids.end(),
                                     [&](AttributeId id) { return equal_is_identical(column(id), context.plan()); });
  return identical && context.superkey(output_set(rel), context.facts(rel));
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
