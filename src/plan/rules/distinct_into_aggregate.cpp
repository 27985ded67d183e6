#include "plan/rules/distinct_into_aggregate.hpp"

#include <algorithm>

#include "plan/rules/common.hpp"

namespace trustsql::plan::rules {

namespace {

bool move(Rel& rel, RuleContext&) {
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
  const bool fit = std::all_of(aggregate->calls.begin(), aggregate->calls.end(), [&](const AggregateCall& call) {
    const bool known =
        call.name == "count" || call.name == "sum" || call.name == "avg" || call.name == "total" || call.name == "min" || call.name == "max";
    if (!known || call.info == nullptr || call.arguments.size() != 1 || call.filter || !call.order_by.empty()) return false;
    const auto* id = column_id(call.arguments.front());
    return id != nullptr && others.contains(*id) && (!call.distinct || call.collation == binary_collation);
  });
  if (!fit) return false;
  for (auto& call : aggregate->calls) {
    if (call.name == "min" || call.name == "max" || call.distinct) continue;
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
    .on_rel = move,
};

}  // namespace trustsql::plan::rules
