#include "plan/rules/correlation_above_groups.hpp"

#include <algorithm>

#include "plan/rules/cluster.hpp"
#include "plan/rules/common.hpp"
#include "plan/rules/correlated_aggregate_unnesting.hpp"

namespace trustsql::plan::rules {

namespace {

// The grouped aggregate of a leaf, below projections that only pass columns on.
Aggregate* groups_of(Rel& leaf) {
  auto* aggregate = below_renamings(leaf).as<Aggregate>();
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
    const auto* id = equated_inner_column(conjunct, outside, inside, plan);
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

const Rule correlation_above_groups{
    .name = "correlation_above_groups",
    .kinds = rel_kinds<Apply>,
    .apply = lift_correlation,
    .example = correlation_above_groups_example,
};

}  // namespace trustsql::plan::rules
