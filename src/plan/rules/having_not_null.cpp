#include "plan/rules/having_not_null.hpp"

#include <algorithm>

#include "plan/aggregates.hpp"
#include "plan/rules/cluster.hpp"
#include "plan/rules/common.hpp"

namespace trustsql::plan::rules {

namespace {

// The column that all calls use, if rows in which it is NULL do not affect any of them.
const AttributeId* column_of(const std::vector<AggregateCall>& calls) {
  const AttributeId* common = nullptr;
  for (const auto& call : calls) {
    if (!is_basic(call) || call.arguments.size() != 1) return nullptr;
    const auto* id = column_id(call.arguments.front());
    if (id == nullptr || (common != nullptr && *common != *id)) return nullptr;
    common = id;
  }
  return common;
}

bool push_not_null_below_groups(Rel& rel, RuleContext& context) {
  auto* filter = rel.as<Filter>();
  auto* aggregate = filter->input->as<Aggregate>();
  if (aggregate == nullptr || !aggregate->grouped) return false;
  const auto* id = column_of(aggregate->calls);
  if (id == nullptr || !output_set(*aggregate->input).contains(*id)) return false;
  // Of several spellings of a key any may be returned, and the choice must not change with the removed rows.
  const bool one_spelling = std::all_of(aggregate->keys.begin(), aggregate->keys.end(), [&](const GroupKey& key) {
    return key.collation == binary_collation && equal_is_identical(key.expr, context.plan());
  });
  if (!one_spelling) return false;
  const bool drops_groups = std::any_of(filter->conjuncts.begin(), filter->conjuncts.end(), [&](const Expr& conjunct) {
    return is_untrue_over_no_rows(conjunct, aggregate->calls, context.plan());
  });
  if (!drops_groups) return false;
  const auto facts = context.facts(*aggregate->input);
  if (facts.non_null.contains(*id) || (context.assume().primary_key_not_null && facts.assumed_non_null.contains(*id)))
    return false;
  std::vector<Expr> condition;
  condition.push_back(is_null(column(*id), true));
  return put_filter(aggregate->input, std::move(condition));
}

}  // namespace

const Rule having_not_null{
    .name = "having_not_null",
    .kinds = rel_kinds<Filter>,
    .apply = push_not_null_below_groups,
    .example = having_not_null_example,
};

}  // namespace trustsql::plan::rules
