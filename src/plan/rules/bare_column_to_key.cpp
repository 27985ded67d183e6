#include "plan/rules/bare_column_to_key.hpp"

#include "plan/rules/cluster.hpp"
#include "plan/rules/common.hpp"

namespace trustsql::plan::rules {

namespace {

bool turn_bare_columns_into_keys(Rel& rel, RuleContext& context) {
  auto* aggregate = rel.as<Aggregate>();
  if (!aggregate->grouped || aggregate->keys.empty() || !aggregate->has_bare_columns()) return false;
  const auto known = agreed_columns(*aggregate);
  const auto facts = context.facts(*aggregate->input);
  const auto ids = outputs(rel);
  bool changed = false;
  std::vector<AggregateCall> calls;
  for (auto& call : aggregate->calls) {
    const auto* id = call.is_bare() ? column_id(call.arguments.front()) : nullptr;
    if (id == nullptr || !context.determines(known, *id, facts)) {
      calls.push_back(std::move(call));
      continue;
    }
    aggregate->keys.push_back({call.id, column(*id), binary_collation});
    changed = true;
  }
  aggregate->calls = std::move(calls);
  if (changed) rel = with_outputs(std::move(rel), ids);
  return changed;
}

}  // namespace

const Rule bare_column_to_key{
    .name = "bare_column_to_key",
    .kinds = rel_kinds<Aggregate>,
    .apply = turn_bare_columns_into_keys,
    .example = bare_column_to_key_example,
};

}  // namespace trustsql::plan::rules
