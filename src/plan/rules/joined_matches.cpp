#include "plan/rules/joined_matches.hpp"

#include <algorithm>

#include "plan/rules/common.hpp"
#include "plan/rules/partners.hpp"

namespace trustsql::plan::rules {

namespace {

bool join_used_matches(Rel& rel, RuleContext& context) {
  auto& aggregate = *rel.as<Aggregate>();
  auto* outer = aggregate.input->as<Join>();
  const auto& plan = context.plan();
  if (outer == nullptr || !aggregate.grouped || aggregate.calls.empty() || !are_looked_up_by_matches(*outer, plan))
    return false;
  const auto right = output_set(*outer->right);
  const auto looked_up = right | output_set(*outer->left->as<Join>()->right);
  if (std::any_of(aggregate.keys.begin(), aggregate.keys.end(),
                  [&](const GroupKey& key) {
                    return references(key.expr).intersects(looked_up) || !is_repeatable(key.expr);
                  }) ||
      !std::all_of(aggregate.calls.begin(), aggregate.calls.end(),
                   [&](const AggregateCall& call) { return ignores_row_of_nulls(call, right, plan); }))
    return false;
  nest_matches(*outer);
  return true;
}

}  // namespace

const Rule joined_matches{
    .name = "joined_matches",
    .kinds = rel_kinds<Aggregate>,
    .apply = join_used_matches,
    .example = joined_matches_example,
};

}  // namespace trustsql::plan::rules
