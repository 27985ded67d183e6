#include "plan/rules/aggregate_pull_up.hpp"

#include <algorithm>

#include "plan/rules/cluster.hpp"
#include "plan/rules/common.hpp"

namespace trustsql::plan::rules {

namespace {

bool is_group(const Rel& leaf) {
  const auto* aggregate = leaf.as<Aggregate>();
  return aggregate != nullptr && aggregate->grouped && !aggregate->calls.empty();
}

int count_groups(const Rel& rel) {
  if (const auto* filter = rel.as<Filter>()) return count_groups(*filter->input);
  const auto* join = rel.as<Join>();
  if (join != nullptr && join->type == JoinType::inner) return count_groups(*join->left) + count_groups(*join->right);
  return is_group(rel) ? 1 : 0;
}

// Whether the calls give the same for the rows in any order.
bool are_orderless(const std::vector<AggregateCall>& calls) {
  return std::all_of(calls.begin(), calls.end(), [](const AggregateCall& call) {
    return call.info != nullptr && (call.name == "count" || call.name == "sum" || call.name == "avg" || call.name == "total" ||
                                    call.name == "min" || call.name == "max");
  });
}

bool has_plain_keys(const Aggregate& aggregate, const Plan& plan) {
  return std::all_of(aggregate.keys.begin(), aggregate.keys.end(), [&](const GroupKey& key) {
    return key.expr.is<Column>() && key.collation == binary_collation && equal_is_identical(key.expr, plan);
  });
}

// The keys that a conjunct equates with a column of another relation.
AttributeSet equated_keys(const std::vector<Expr>& conjuncts, const AttributeSet& keys, const AttributeSet& others, const Plan& plan) {
  AttributeSet equated;
  for (const auto& conjunct : conjuncts) {
    const auto* compare = conjunct.as<Compare>();
    if (compare == nullptr || compare->op != CompareOp::equal || !is_plain(*compare, plan)) continue;
    const auto* left = column_id(*compare->left);
    const auto* right = column_id(*compare->right);
    if (left == nullptr || right == nullptr) continue;
    if (keys.contains(*left) && others.contains(*right)) equated.add(*left);
    if (keys.contains(*right) && others.contains(*left)) equated.add(*right);
  }
  return equated;
}

bool pull(Rel& rel, RuleContext& context) {
  if (is_part_of_cluster(context.parent()) || !is_cluster(rel) || count_groups(rel) != 1) return false;
  const auto& plan = context.plan();
  Rel copy = rel;
  auto cluster = take_apart(copy);
  const auto group = std::find_if(cluster.leaves.begin(), cluster.leaves.end(), is_group);
  Aggregate aggregate = *group->as<Aggregate>();
  if (!are_orderless(aggregate.calls) || is_volatile(*group) || !has_plain_keys(aggregate, plan)) return false;
  if (std::any_of(cluster.conjuncts.begin(), cluster.conjuncts.end(), [](const Expr& conjunct) { return is_volatile(conjunct); })) return false;

  AttributeSet keys;
  AttributeSet calls;
  for (const auto& key : aggregate.keys) keys.add(key.id);
  for (const auto& call : aggregate.calls) calls.add(call.id);
  Cluster rows;  // R
  for (auto leaf = cluster.leaves.begin(); leaf != cluster.leaves.end(); ++leaf) {
    if (leaf != group) rows.leaves.push_back(*leaf);
  }
  AttributeSet others;
  for (const auto& leaf : rows.leaves) others |= output_set(leaf);
  if (free_attributes(*group).intersects(others)) return false;
  if (!(equated_keys(cluster.conjuncts, keys, others, plan) == keys)) return false;

  const auto ids = outputs(rel);
  auto above = take_if(cluster.conjuncts, [&](const Expr& conjunct) { return references(conjunct).intersects(calls); });
  for (const auto& conjunct : cluster.conjuncts) {
    if (!references(conjunct).intersects(keys)) rows.conjuncts.push_back(conjunct);
  }
  const Rel distinct_rows = put_together(std::move(rows));
  if (!context.superkey(others, context.facts(distinct_rows))) return false;

  std::vector<GroupKey> all_keys;
  for (const auto id : outputs(distinct_rows)) all_keys.push_back({id, column(id), binary_collation});
  for (auto& conjunct : cluster.conjuncts) {
    substitute(conjunct, [&](AttributeId id) -> const Expr* {
      const auto key = std::find_if(aggregate.keys.begin(), aggregate.keys.end(), [&](const GroupKey& each) { return each.id == id; });
      return key != aggregate.keys.end() ? &key->expr : nullptr;
    });
  }
  *group = std::move(*aggregate.input);
  std::move(aggregate.keys.begin(), aggregate.keys.end(), std::back_inserter(all_keys));
  aggregate.keys = std::move(all_keys);
  aggregate.input = put_together(std::move(cluster));
  rel = with_outputs(with_filter(Rel{std::move(aggregate)}, std::move(above)), ids);
  return true;
}

}  // namespace

const Rule aggregate_pull_up{
    .name = "aggregate_pull_up",
    .kinds = rel_kinds<Filter, Join>,
    .on_rel = pull,
};

}  // namespace trustsql::plan::rules
