#include "plan/rules/unmatched_groups.hpp"

#include <algorithm>

#include "plan/rules/cluster.hpp"
#include "plan/rules/common.hpp"

namespace trustsql::plan::rules {

namespace {

// The column that `conjunct` says is NULL in each row of the group; nullptr if it says something else.
const AttributeId* column_without_values(const Expr& conjunct, const Aggregate& aggregate) {
  const auto bound = as_bound(conjunct);
  const auto* id = bound ? column_id(*bound->operand) : nullptr;
  const auto* value = bound ? std::get_if<std::int64_t>(bound->value) : nullptr;
  if (id == nullptr || value == nullptr || bound->how.affinity == Affinity::text) return nullptr;
  const bool is_zero =
      *value == 0 ? bound->op == CompareOp::equal || bound->op == CompareOp::less_equal || bound->op == CompareOp::is
                  : *value == 1 && bound->op == CompareOp::less;
  const auto call = std::find_if(aggregate.calls.begin(), aggregate.calls.end(),
                                 [&](const AggregateCall& each) { return each.id == *id; });
  if (!is_zero || call == aggregate.calls.end() || call->name != "count" || call->info == nullptr || call->filter ||
      call->arguments.size() != 1)
    return nullptr;
  return column_id(call->arguments.front());
}

bool select_unmatched_rows(Rel& rel, RuleContext& context) {
  auto* filter = rel.as<Filter>();
  auto* aggregate = filter->input->as<Aggregate>();
  if (aggregate == nullptr || !aggregate->grouped) return false;
  const auto* join = below_renamings(std::as_const(*aggregate->input)).as<Join>();
  if (join == nullptr || join->type != JoinType::left) return false;
  const auto right = output_set(*join->right);
  for (auto conjunct = filter->conjuncts.begin(); conjunct != filter->conjuncts.end(); ++conjunct) {
    const auto* id = column_without_values(*conjunct, *aggregate);
    if (id == nullptr || !right.contains(*id) || !output_set(*aggregate->input).contains(*id)) continue;
    auto facts = context.facts(*join->right);
    add_facts_of_conjuncts(facts, join->on, context.plan());
    if (!context.non_null(column(*id), facts)) continue;
    if (!context.superkey(agreed_columns(*aggregate) & output_set(*join->left), context.facts(*join->left))) continue;
    std::vector<Expr> unmatched;
    unmatched.push_back(is_null(column(*id)));
    put_filter(aggregate->input, std::move(unmatched));
    filter->conjuncts.erase(conjunct);
    drop_if_empty(rel);
    return true;
  }
  return false;
}

}  // namespace

const Rule unmatched_groups{
    .name = "unmatched_groups",
    .kinds = rel_kinds<Filter>,
    .apply = select_unmatched_rows,
    .example = unmatched_groups_example,
};

}  // namespace trustsql::plan::rules
