#include "plan/rules/correlated_aggregate_unnesting.hpp"

#include <algorithm>

#include "plan/rules/cluster.hpp"
#include "plan/rules/common.hpp"

namespace trustsql::plan::rules {

namespace {

bool is_known(const AggregateCall& call, const Plan& plan) {
  // NULL as a result of total() may be Inf - Inf, or represent a missing group.
  if (call.name == "total" && plan.attributes[call.id].types.may_be_null()) return false;
  for (const std::string_view name : {"count", "sum", "avg", "total", "min", "max", "group_concat"}) {
    if (call.info != nullptr && call.name == name) return true;
  }
  return false;
}

bool all_known(const Aggregate& aggregate, const Plan& plan) {
  return std::all_of(aggregate.calls.begin(), aggregate.calls.end(),
                     [&](const AggregateCall& call) { return is_known(call, plan); });
}

// The column of the inner query that `conjunct` equates with an expression over the outer one; nullptr if it is not
// such an equality.
const AttributeId* inner_column(const Expr& conjunct, const AttributeSet& outside, const AttributeSet& inside,
                                const Plan& plan) {
  const auto* compare = conjunct.as<Compare>();
  if (compare == nullptr || compare->op != CompareOp::equal || !is_plain(*compare, plan) || !is_repeatable(conjunct))
    return nullptr;
  const auto fits = [&](const Expr& inner, const Expr& outer) {
    const auto* id = column_id(inner);
    return id != nullptr && inside.contains(*id) && references(outer).is_subset_of(outside);
  };
  if (fits(*compare->left, *compare->right)) return column_id(*compare->left);
  if (fits(*compare->right, *compare->left)) return column_id(*compare->right);
  return nullptr;
}

// The expression for the value of `call` over the groups: 0 if there is no group.
std::optional<Expr> with_default(AggregateCall& call, Plan& plan) {
  if (call.name != "count" && call.name != "total") return std::nullopt;
  const auto* coalesce = FunctionTable::latest().find("coalesce", 2);
  if (coalesce == nullptr) return std::nullopt;
  const auto group_value = plan.add_attribute_like(call.id);
  Function value;
  value.name = coalesce->name;
  value.info = coalesce;
  value.arguments.push_back(column(group_value));
  value.arguments.push_back(call.name == "count" ? literal(std::int64_t{0}) : literal(0.0));
  call.id = group_value;
  return Expr{std::move(value)};
}

bool unnest_correlated_aggregate(Rel& rel, RuleContext& context) {
  auto* apply = rel.as<Apply>();
  if (apply->type != ApplyType::scalar) return false;
  auto* project = apply->right->as<Project>();
  Rel& below = project != nullptr ? *project->input : *apply->right;
  auto* aggregate = below.as<Aggregate>();
  if (aggregate == nullptr || aggregate->grouped || !all_known(*aggregate, context.plan())) return false;
  const auto outside = output_set(*apply->left);
  if (references_of_operator(below).intersects(outside)) return false;
  if (project != nullptr && !std::all_of(project->items.begin(), project->items.end(),
                                         [](const ProjectItem& item) { return is_repeatable(item.expr); })) {
    return false;
  }
  // The input may depend on the outer rows only through equalities among its topmost conditions.
  const auto inside = output_set(*aggregate->input);
  Rel input = *aggregate->input;
  auto cluster = take_apart(input);
  std::vector<Expr> on;
  std::vector<GroupKey> keys;
  std::vector<Expr> rest;
  for (auto& conjunct : cluster.conjuncts) {
    if (!references(conjunct).intersects(outside)) {
      rest.push_back(std::move(conjunct));
      continue;
    }
    const auto* id = inner_column(conjunct, outside, inside, context.plan());
    if (id == nullptr) return false;
    if (std::none_of(keys.begin(), keys.end(), [&](const GroupKey& key) { return key.id == *id; }))
      keys.push_back({*id, column(*id), binary_collation});
    on.push_back(std::move(conjunct));
  }
  if (keys.empty()) return false;
  cluster.conjuncts = std::move(rest);
  input = put_together(std::move(cluster));
  if (free_attributes(input).intersects(outside)) return false;

  Project result;
  for (const auto id : outputs(*apply->left)) result.items.push_back({id, column(id)});
  Aggregate groups{.input = std::move(input), .grouped = true, .keys = std::move(keys), .calls = aggregate->calls};
  std::vector<ProjectItem> values;
  for (auto& call : groups.calls) {
    const auto id = call.id;
    auto value = with_default(call, context.plan());
    values.push_back({id, value ? *std::move(value) : column(id)});
  }
  if (project != nullptr) {
    for (auto& item : project->items) {
      substitute(item.expr, [&](AttributeId id) -> const Expr* {
        for (const auto& value : values) {
          if (value.id == id && !value.is_pass_through()) return &value.expr;
        }
        return nullptr;
      });
      result.items.push_back(std::move(item));
    }
  } else {
    for (auto& value : values) result.items.push_back(std::move(value));
  }
  result.input = Rel{Join{JoinType::left, std::move(*apply->left), Rel{std::move(groups)}, std::move(on)}};
  rel = Rel{std::move(result)};
  return true;
}

// The grouped aggregate of a leaf, below projections that only pass columns on.
Aggregate* groups_of(Rel& leaf) {
  Rel* current = &leaf;
  while (auto* project = current->as<Project>()) {
    if (!std::all_of(project->items.begin(), project->items.end(),
                     [](const ProjectItem& item) { return item.is_pass_through(); }))
      return nullptr;
    current = project->input.get();
  }
  auto* aggregate = current->as<Aggregate>();
  const bool fits = aggregate != nullptr && aggregate->grouped && !aggregate->has_bare_columns();
  return fits ? aggregate : nullptr;
}

// Moves the equalities of `groups` with columns of `outside` to `lifted`, and makes their columns keys.
bool lift(Aggregate& groups, const AttributeSet& outside, const Plan& plan, std::vector<Expr>& lifted) {
  const auto inside = output_set(*groups.input);
  auto cluster = take_apart(*groups.input);
  const auto moving =
      take_if(cluster.conjuncts, [&](const Expr& conjunct) { return references(conjunct).intersects(outside); });
  for (const auto& conjunct : moving) {
    const auto* id = inner_column(conjunct, outside, inside, plan);
    if (id == nullptr || !equal_is_identical(column(*id), plan)) return false;
    const bool is_key = std::any_of(groups.keys.begin(), groups.keys.end(),
                                    [&](const GroupKey& key) { return key.id == *id && key.expr == column(*id); });
    if (!is_key) groups.keys.push_back({*id, column(*id), binary_collation});
    lifted.push_back(conjunct);
  }
  groups.input = put_together(std::move(cluster));
  return !moving.empty();
}

bool lift_correlation(Rel& rel, RuleContext& context) {
  const auto& before = *rel.as<Apply>();
  if (before.type != ApplyType::scalar) return false;
  const auto outside = output_set(*before.left);
  if (!free_attributes(*before.right).intersects(outside)) return false;
  Rel changed = rel;
  auto* project = changed.as<Apply>()->right->as<Project>();
  auto* aggregate = (project != nullptr ? *project->input : *changed.as<Apply>()->right).as<Aggregate>();
  if (aggregate == nullptr || aggregate->grouped) return false;
  auto cluster = take_apart(*aggregate->input);
  bool any = false;
  for (auto& leaf : cluster.leaves) {
    if (!free_attributes(leaf).intersects(outside)) continue;
    auto* groups = groups_of(leaf);
    if (groups == nullptr || !lift(*groups, outside, context.plan(), cluster.conjuncts)) return false;
    // The projections show the new keys.
    for (Rel* above = &leaf; above->is<Project>(); above = above->as<Project>()->input.get()) {
      auto& items = above->as<Project>()->items;
      for (const auto& key : groups->keys) {
        if (std::none_of(items.begin(), items.end(), [&](const ProjectItem& item) { return item.id == key.id; }))
          items.push_back({key.id, column(key.id)});
      }
    }
    any = true;
  }
  if (!any) return false;
  aggregate->input = put_together(std::move(cluster));
  Rel next = changed;
  if (!unnest_correlated_aggregate(next, context)) return false;
  rel = std::move(changed);
  return true;
}

}  // namespace

const Rule correlated_aggregate_unnesting{
    .name = "correlated_aggregate_unnesting",
    .kinds = rel_kinds<Apply>,
    .apply = unnest_correlated_aggregate,
    .example = correlated_aggregate_unnesting_example,
};

const Rule correlation_above_groups{
    .name = "correlation_above_groups",
    .kinds = rel_kinds<Apply>,
    .apply = lift_correlation,
    .example = correlation_above_groups_example,
};

}  // namespace trustsql::plan::rules
