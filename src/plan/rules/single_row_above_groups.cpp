#include "plan/rules/single_row_above_groups.hpp"

#include <algorithm>

#include "plan/rules/cluster.hpp"
#include "plan/rules/common.hpp"

namespace trustsql::plan::rules {

namespace {

AttributeSet used_by(const AggregateCall& call) {
  auto used = references(call.arguments);
  for (const auto& key : call.order_by) used |= references(key.expr);
  if (call.filter) used |= references(*call.filter);
  return used;
}

// Splits `list` into the elements that use neither or one of two sets of columns: those that use `inside` are moved to
// `moved`. False if one of them uses both, or may not move.
template <class Element, class Uses, class MayMove>
bool split_by_use(std::vector<Element>& list, std::vector<Element>& moved, const AttributeSet& inside,
                  const AttributeSet& others, const Uses& uses, const MayMove& may_move) {
  std::vector<Element> kept;
  for (auto& each : list) {
    const AttributeSet used = uses(each);
    const bool moves = used.intersects(inside);
    if (moves && (used.intersects(others) || !may_move(each))) return false;
    (moves ? moved : kept).push_back(std::move(each));
  }
  list = std::move(kept);
  return true;
}

bool lift_leaf(const Aggregate& before, Cluster cluster, std::size_t place, Rel& rel) {
  Rel single = std::move(cluster.leaves[place]);
  cluster.leaves.erase(cluster.leaves.begin() + static_cast<std::ptrdiff_t>(place));
  const auto inside = output_set(single);
  AttributeSet others;
  for (const auto& leaf : cluster.leaves) others |= output_set(leaf);
  std::vector<Expr> conditions;
  std::vector<GroupKey> keys;
  std::vector<AggregateCall> calls;
  Aggregate groups{{}, true, before.keys, before.calls, before.of_distinct};
  const bool fits = split_by_use(
                        cluster.conjuncts, conditions, inside, others,
                        [](const Expr& each) { return references(each); }, [](const Expr&) { return true; }) &&
                    split_by_use(
                        groups.keys, keys, inside, others, [](const GroupKey& key) { return references(key.expr); },
                        [](const GroupKey& key) { return is_repeatable(key.expr); }) &&
                    split_by_use(groups.calls, calls, inside, others, used_by, [](const AggregateCall& call) {
                      return call.is_bare() && !call.filter && is_repeatable(call.arguments.front());
                    });
  if (!fits || (keys.empty() && calls.empty())) return false;
  Project project;
  for (const auto id : outputs(rel)) {
    Expr value = column(id);
    for (const auto& key : keys) {
      if (key.id == id) value = key.expr;
    }
    for (const auto& call : calls) {
      if (call.id == id) value = call.arguments.front();
    }
    project.items.push_back({id, std::move(value)});
  }
  groups.input = put_together(std::move(cluster));
  Rel joined{Join{JoinType::inner, Rel{std::move(groups)}, with_filter(std::move(single), std::move(conditions)), {}}};
  project.input = std::move(joined);
  rel = Rel{std::move(project)};
  return true;
}

bool lift_single_row(Rel& rel, RuleContext& context) {
  const auto& aggregate = *rel.as<Aggregate>();
  if (!aggregate.grouped || !is_cluster(*aggregate.input) || is_volatile(rel)) return false;
  Rel copy = *aggregate.input;
  const auto cluster = take_apart(copy);
  for (std::size_t i = 0; i < cluster.leaves.size() && cluster.leaves.size() > 1; ++i) {
    const auto& leaf = cluster.leaves[i];
    const auto columns = output_set(leaf);
    if (columns.empty() || !context.single_row(context.facts(leaf))) continue;
    const Aggregate before = aggregate;
    if (lift_leaf(before, cluster, i, rel)) return true;
    context.take_assumptions();
  }
  return false;
}

}  // namespace

const Rule single_row_above_groups{
    .name = "single_row_above_groups",
    .kinds = rel_kinds<Aggregate>,
    .apply = lift_single_row,
    .example = single_row_above_groups_example,
};

}  // namespace trustsql::plan::rules
