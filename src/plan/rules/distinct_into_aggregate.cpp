#include "plan/rules/distinct_into_aggregate.hpp"

#include <algorithm>

#include "plan/aggregates.hpp"
#include "plan/rules/common.hpp"

namespace trustsql::plan::rules {

namespace {

bool move(Rel& rel, RuleContext& context) {
  auto* aggregate = rel.as<Aggregate>();
  auto* distinct = aggregate->input->as<Distinct>();
  if (distinct == nullptr || !distinct->collations.empty() || aggregate->calls.empty()) return false;
  AttributeSet keys;
  for (const auto& key : aggregate->keys) {
    const auto* id = column_id(key.expr);
    if (id == nullptr || key.collation != binary_collation) return false;
    keys.add(*id);
  }
  const auto others = output_set(*distinct->input) - keys;
  if (others.size() != 1) return false;
  std::optional<AttributeId> other;
  others.for_each([&](AttributeId id) { other = id; });
  const auto counts_rows = [](const AggregateCall& call) {
    return call.name == "count" && call.info != nullptr && call.arguments.empty();
  };
  const bool fit = std::all_of(aggregate->calls.begin(), aggregate->calls.end(), [&](const AggregateCall& call) {
    if (counts_rows(call) && !call.filter) return context.non_null(column(*other), context.facts(*distinct));
    if (!is_basic(call) || call.arguments.size() != 1 || call.filter || !call.order_by.empty()) return false;
    const auto* id = column_id(call.arguments.front());
    return id != nullptr && others.contains(*id) && (!call.distinct || call.collation == binary_collation);
  });
  if (!fit) return false;
  for (auto& call : aggregate->calls) {
    if (call.name == "min" || call.name == "max" || call.distinct) continue;
    if (counts_rows(call)) call.arguments.push_back(column(*other));
    call.distinct = true;
    call.collation = binary_collation;
  }
  replace_by_descendant(*aggregate->input, *distinct->input);
  return true;
}

}  // namespace

const Rule distinct_into_aggregate{
    .name = "distinct_into_aggregate",
    .kinds = rel_kinds<Aggregate>,
    .apply = move,
    .example = distinct_into_aggregate_example,
};

}  // namespace trustsql::plan::rules
