#include "plan/rules/filter_of_matches.hpp"

#include <algorithm>

#include "plan/aggregates.hpp"
#include "plan/rules/common.hpp"
#include "plan/strictness.hpp"

namespace trustsql::plan::rules {

namespace {

// The first column of the right side without which none of the conditions is true; nullopt if there is none.
std::optional<AttributeId> counted_column(const std::vector<Expr>& conditions, const Rel& right, const Plan& plan) {
  AttributeSet rejected;
  for (const auto& condition : conditions) rejected |= null_rejected(condition, plan);
  const auto ids = outputs(right);
  const auto found = std::find_if(ids.begin(), ids.end(), [&](AttributeId id) { return rejected.contains(id); });
  if (found == ids.end()) return std::nullopt;
  return *found;
}

bool join_by_filter(Rel& rel, RuleContext& context) {
  auto& aggregate = *rel.as<Aggregate>();
  auto* join = aggregate.input->as<Join>();
  if (join == nullptr || join->type != JoinType::left || !aggregate.grouped || aggregate.has_bare_columns())
    return false;
  auto conditions = common_filters(aggregate.calls);
  std::erase_if(conditions, [](const Expr& condition) { return !is_repeatable(condition); });
  const auto counted = counted_column(conditions, *join->right, context.plan());
  const auto* info = FunctionTable::latest().find("count", 1);
  if (!counted || info == nullptr) return false;
  const auto right = output_set(*join->right);
  if (std::any_of(aggregate.keys.begin(), aggregate.keys.end(), [&](const GroupKey& key) {
        return references(key.expr).intersects(right) || has_subquery(key.expr);
      }))
    return false;
  const bool ignore_no_match = std::all_of(aggregate.calls.begin(), aggregate.calls.end(), [&](const AggregateCall& c) {
    return is_basic(c) &&
           (c.arguments.empty() ? c.name == "count"
                                : c.arguments.size() == 1 && strict(c.arguments.front()).intersects(right));
  });
  if (!ignore_no_match) return false;
  drop_filters(aggregate.calls, conditions);
  for (auto& call : aggregate.calls) {
    if (!call.arguments.empty()) continue;
    call.arguments.push_back(column(*counted));
    call.info = info;
  }
  for (auto& condition : conditions) join->on.push_back(std::move(condition));
  return true;
}

}  // namespace

const Rule filter_of_matches{
    .name = "filter_of_matches",
    .kinds = rel_kinds<Aggregate>,
    .apply = join_by_filter,
    .example = filter_of_matches_example,
};

}  // namespace trustsql::plan::rules
