#include "plan/rules/aggregate_pull_up.hpp"

#include <algorithm>

#include "plan/aggregates.hpp"
#include "plan/rules/cluster.hpp"
#include "plan/rules/common.hpp"
#include "plan/strictness.hpp"

namespace trustsql::plan::rules {

namespace {

bool is_group(const Rel& leaf) {
  const auto* aggregate = leaf.as<Aggregate>();
  return aggregate != nullptr && aggregate->grouped && !aggregate->keys.empty() && !aggregate->calls.empty();
}

// Whether the relation is groups, perhaps under conditions on them, from which columns may be computed.
bool is_of_groups(const Rel& leaf) {
  if (const auto* project = leaf.as<Project>()) return is_of_groups(*project->input);
  if (const auto* filter = leaf.as<Filter>()) return is_of_groups(*filter->input);
  return is_group(leaf);
}

// How many aggregations the rows of the relation go through.
int aggregations_of(const Rel& rel) {
  int most = 0;
  for_each_rel(rel, [&](const Rel& input) { most = std::max(most, aggregations_of(input)); });
  return rel.is<Aggregate>() ? most + 1 : most;
}

// The joined relation that is pulled up: the groups, or of several those whose rows go through fewer aggregations than
// those of the others; nullptr if there is none.
const Rel* group_to_pull_up(const std::vector<Rel>& leaves) {
  const Rel* chosen = nullptr;
  bool tied = false;
  for (const auto& leaf : leaves) {
    if (!is_of_groups(leaf)) continue;
    const int more = chosen != nullptr ? aggregations_of(leaf) - aggregations_of(*chosen) : -1;
    tied = more == 0 || (more > 0 && tied);
    if (more < 0) chosen = &leaf;
  }
  return chosen != nullptr && !tied && is_group(*chosen) ? chosen : nullptr;
}

bool has_plain_keys(const Aggregate& aggregate, const Plan& plan) {
  return std::all_of(aggregate.keys.begin(), aggregate.keys.end(), [&](const GroupKey& key) {
    return key.expr.is<Column>() && key.collation == binary_collation && equal_is_identical(key.expr, plan);
  });
}

// The keys that a conjunct equates with a column of another relation.
AttributeSet equated_keys(const std::vector<Expr>& conjuncts, const AttributeSet& keys, const AttributeSet& others,
                          const Plan& plan) {
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

AttributeSet ids_of_keys(const Aggregate& aggregate) {
  AttributeSet ids;
  for (const auto& key : aggregate.keys) ids.add(key.id);
  return ids;
}

AttributeSet ids_of_calls(const Aggregate& aggregate) {
  AttributeSet ids;
  for (const auto& call : aggregate.calls) ids.add(call.id);
  return ids;
}

// Replaces the keys in a condition on groups by their expressions over the rows.
void put_keys(Expr& conjunct, const Aggregate& aggregate) {
  substitute(conjunct, [&](AttributeId id) -> const Expr* {
    const auto key =
        std::find_if(aggregate.keys.begin(), aggregate.keys.end(), [&](const GroupKey& each) { return each.id == id; });
    return key != aggregate.keys.end() ? &key->expr : nullptr;
  });
}

// Inserts the columns of `rows` before the keys.
void add_keys(Aggregate& aggregate, const std::vector<AttributeId>& rows) {
  std::vector<GroupKey> keys;
  keys.reserve(rows.size());
  for (const auto id : rows) keys.push_back({id, column(id), binary_collation});
  aggregate.keys.insert(aggregate.keys.begin(), std::make_move_iterator(keys.begin()),
                        std::make_move_iterator(keys.end()));
}

bool pull_from_cluster(Rel& rel, RuleContext& context) {
  if (is_part_of_cluster(context.parent()) || !is_cluster(rel)) return false;
  const auto& plan = context.plan();
  Rel copy = rel;
  auto cluster = take_apart(copy);
  const Rel* group = group_to_pull_up(cluster.leaves);
  if (group == nullptr) return false;
  Aggregate aggregate = *group->as<Aggregate>();
  if (!std::all_of(aggregate.calls.begin(), aggregate.calls.end(), is_basic) || is_volatile(*group) ||
      !has_plain_keys(aggregate, plan))
    return false;
  if (std::any_of(cluster.conjuncts.begin(), cluster.conjuncts.end(),
                  [](const Expr& conjunct) { return is_volatile(conjunct); }))
    return false;

  const auto keys = ids_of_keys(aggregate);
  const auto calls = ids_of_calls(aggregate);
  Cluster rows;        // R
  Cluster joined;      // R and S
  Cluster with_group;  // what remains joined: the groups above, and other groups
  AttributeSet others;
  AttributeSet of_other_groups;
  for (const auto& leaf : cluster.leaves) {
    if (&leaf == group) {
      joined.leaves.push_back(*aggregate.input);
    } else if (is_of_groups(leaf)) {
      with_group.leaves.push_back(leaf);
      of_other_groups |= output_set(leaf);
    } else {
      rows.leaves.push_back(leaf);
      joined.leaves.push_back(leaf);
      others |= output_set(leaf);
    }
  }
  if (rows.leaves.empty() || free_attributes(*group).intersects(others | of_other_groups)) return false;

  const auto ids = outputs(rel);
  with_group.conjuncts = take_if(cluster.conjuncts, [&](const Expr& conjunct) {
    return references(conjunct).intersects(calls | of_other_groups);
  });
  if (!(equated_keys(cluster.conjuncts, keys, others, plan) == keys)) return false;
  for (const auto& conjunct : cluster.conjuncts) {
    if (!references(conjunct).intersects(keys)) rows.conjuncts.push_back(conjunct);
  }
  const Rel distinct_rows = put_together(std::move(rows));
  if (!context.superkey(others, context.facts(distinct_rows))) return false;

  for (auto& conjunct : cluster.conjuncts) put_keys(conjunct, aggregate);
  joined.conjuncts = std::move(cluster.conjuncts);
  add_keys(aggregate, outputs(distinct_rows));
  aggregate.input = put_together(std::move(joined));
  with_group.leaves.insert(with_group.leaves.begin(), Rel{std::move(aggregate)});
  rel = with_outputs(put_together(std::move(with_group)), ids);
  return true;
}

// Whether a row in which the columns `nulls` are NULL adds nothing to the call.
bool ignores_row_of(const AttributeSet& nulls, const AggregateCall& call, const Plan& plan) {
  return (call.filter && null_rejected(*call.filter, plan).intersects(nulls)) ||
         (call.arguments.size() == 1 && strict(call.arguments.front()).intersects(nulls));
}

// The expression for the call over the rows of a left join: NULL if there is no match. `matches` becomes the number of
// matches if the expression uses it.
std::optional<Expr> over_left_join(AggregateCall& call, const Expr& partner, std::optional<AggregateCall>& matches,
                                   Plan& plan) {
  if (call.name != "count") return column(call.id);
  if (!call.arguments.empty() || call.filter) {
    const auto* info = FunctionTable::latest().find("count", 1);
    if (!matches) matches = count_of_rows(call.id, plan);
    if (!matches || info == nullptr) return std::nullopt;
    matches->info = info;
    matches->arguments.assign(1, partner);
    call.id = plan.add_attribute_like(call.id);
    Case value;
    value.branches.push_back(
        {compare(CompareOp::equal, column(matches->id), literal(std::int64_t{0})), literal({}), {}});
    value.otherwise = column(call.id);
    return Expr{std::move(value)};
  }
  const auto* nullif = FunctionTable::latest().find("nullif", 2);
  if (nullif == nullptr) return std::nullopt;
  Function value;
  value.name = nullif->name;
  value.info = nullif;
  const auto id = plan.add_attribute_like(call.id);
  value.arguments.push_back(column(id));
  value.arguments.push_back(literal(std::int64_t{0}));
  call.id = id;
  if (call.arguments.empty()) call.arguments.push_back(partner);
  return Expr{std::move(value)};
}

bool pull_from_left_join(Rel& rel, RuleContext& context) {
  auto* join = rel.as<Join>();
  // Other groups may be joined above, or will be once their subquery is a join: groups of the same rows come together
  // first.
  const auto* above = context.operation_above();
  if (!is_group(*join->right) || (above != nullptr && (above->is<Join>() || above->is<Apply>()))) return false;
  auto& plan = context.plan();
  bool other_groups = false;
  walk(*join->left, [&](const Aggregate&) { other_groups = true; });
  Aggregate aggregate = *join->right->as<Aggregate>();
  if (other_groups || is_volatile(*join->right) || !has_plain_keys(aggregate, plan)) return false;
  const auto others = output_set(*join->left);
  const auto keys = ids_of_keys(aggregate);
  const auto calls = ids_of_calls(aggregate);
  // A count of no values in a group is 0, but without a match it is NULL. Summands must be NULL in the row without
  // a match.
  const auto inside = output_set(*aggregate.input);
  const bool fit = std::all_of(aggregate.calls.begin(), aggregate.calls.end(), [&](const AggregateCall& call) {
    if (!is_basic(call) || call.name == "total") return false;
    if (call.name == "count" && (call.filter || !call.arguments.empty())) return ignores_row_of(inside, call, plan);
    return call.name == "count" || strict(call.arguments.front()).intersects(inside);
  });
  if (!fit || free_attributes(*join->right).intersects(others)) return false;
  const bool on_keys = std::none_of(join->on.begin(), join->on.end(), [&](const Expr& conjunct) {
    return references(conjunct).intersects(calls) || is_volatile(conjunct);
  });
  if (!on_keys || !(equated_keys(join->on, keys, others, plan) == keys)) return false;
  if (!context.superkey(others, context.facts(*join->left))) return false;

  const auto ids = outputs(rel);
  const Expr partner = aggregate.keys.front().expr;
  Project project;
  for (const auto id : ids) project.items.push_back({id, column(id)});
  std::optional<AggregateCall> matches;
  for (auto& call : aggregate.calls) {
    const auto item = std::find_if(project.items.begin(), project.items.end(),
                                   [&](const ProjectItem& each) { return each.id == call.id; });
    auto value = over_left_join(call, partner, matches, plan);
    if (!value) return false;
    item->expr = *std::move(value);
  }
  if (matches) aggregate.calls.push_back(*std::move(matches));
  for (auto& conjunct : join->on) put_keys(conjunct, aggregate);
  Rel rows = std::move(*aggregate.input);
  add_keys(aggregate, outputs(*join->left));
  aggregate.input = Rel{Join{JoinType::left, std::move(*join->left), std::move(rows), std::move(join->on)}};
  project.input = Rel{std::move(aggregate)};
  rel = Rel{std::move(project)};
  return true;
}

bool pull_up_aggregate(Rel& rel, RuleContext& context) {
  const auto* join = rel.as<Join>();
  return join != nullptr && join->type == JoinType::left ? pull_from_left_join(rel, context)
                                                         : pull_from_cluster(rel, context);
}

}  // namespace

const Rule aggregate_pull_up{
    .name = "aggregate_pull_up",
    .kinds = rel_kinds<Filter, Join>,
    .apply = pull_up_aggregate,
    .example = aggregate_pull_up_example,
};

}  // namespace trustsql::plan::rules
