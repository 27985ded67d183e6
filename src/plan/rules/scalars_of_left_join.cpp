#include "plan/rules/scalars_of_left_join.hpp"

#include <algorithm>

#include "plan/aggregates.hpp"
#include "plan/rules/cluster.hpp"
#include "plan/rules/common.hpp"
#include "plan/rules/partners.hpp"

namespace trustsql::plan::rules {

namespace {

// Whether only the set of rows with the columns `left` decides about the call, not how often each occurs.
bool is_of_set(const AggregateCall& call, const AttributeSet& left) {
  if (!is_basic(call) || call.arguments.size() != 1) return false;
  const auto is_of_left = [&](const Expr& expr) { return is_repeatable(expr) && references(expr).is_subset_of(left); };
  return (call.distinct || call.name == "min" || call.name == "max") && is_of_left(call.arguments.front()) &&
         (!call.filter || is_of_left(*call.filter));
}

bool split_aggregate(Rel& rel, RuleContext& context) {
  auto& aggregate = *rel.as<Aggregate>();
  auto* join = aggregate.input->as<Join>();
  auto& plan = context.plan();
  if (aggregate.grouped || join == nullptr || join->type != JoinType::left || is_volatile(*join->left) ||
      is_volatile(*join->right) || !std::all_of(join->on.begin(), join->on.end(), is_repeatable))
    return false;
  const auto left = output_set(*join->left);
  const auto right = output_set(*join->right);
  std::vector<AggregateCall> of_rows;
  std::vector<AggregateCall> of_matches;
  for (const auto& call : aggregate.calls) {
    const bool of_set = is_of_set(call, left);
    if (!of_set && !ignores_row_of_nulls(call, right, plan)) return false;
    (of_set ? of_rows : of_matches).push_back(call);
  }
  if (of_rows.empty() || of_matches.empty()) return false;
  const auto ids = outputs(rel);
  Renaming copies;
  Aggregate rows;
  rows.input = copy_with_new_ids(*join->left, plan, &copies);
  for (auto& call : of_rows) {
    for (auto& argument : call.arguments) rename(argument, copies);
    if (call.filter) rename(*call.filter, copies);
  }
  rows.calls = std::move(of_rows);
  join->type = JoinType::inner;
  aggregate.calls = std::move(of_matches);
  rel = with_outputs(Rel{Join{JoinType::inner, Rel{std::move(rows)}, std::move(rel), {}}}, ids);
  return true;
}

}  // namespace

const Rule scalars_of_left_join{
    .name = "scalars_of_left_join",
    .kinds = rel_kinds<Aggregate>,
    .apply = split_aggregate,
    .example = scalars_of_left_join_example,
};

}  // namespace trustsql::plan::rules
