#include "plan/rules/correlated_row_unnesting.hpp"

#include <algorithm>

#include "plan/rules/cluster.hpp"
#include "plan/rules/common.hpp"

namespace trustsql::plan::rules {

namespace {

bool unnest_correlated_row(Rel& rel, RuleContext& context) {
  auto* apply = rel.as<Apply>();
  if (apply->type != ApplyType::scalar) return false;
  const auto outside = output_set(*apply->left);
  if (!free_attributes(*apply->right).intersects(outside) || is_volatile(*apply->right)) return false;
  const auto* project = apply->right->as<Project>();
  Rel body = project != nullptr ? *project->input : *apply->right;
  const auto inside = output_set(body);
  if (project != nullptr && !std::all_of(project->items.begin(), project->items.end(), [&](const ProjectItem& item) {
        const auto* id = column_id(item.expr);
        return id != nullptr && inside.contains(*id);
      })) {
    return false;
  }
  auto cluster = take_apart(body);
  auto on = take_if(cluster.conjuncts, [&](const Expr& conjunct) { return references(conjunct).intersects(outside); });
  if (std::any_of(on.begin(), on.end(), [](const Expr& conjunct) { return has_subquery(conjunct); })) return false;
  Rel partners = put_together(std::move(cluster));
  if (free_attributes(partners).intersects(outside)) return false;
  if (!context.single_row(context.facts(*apply->right))) return false;

  Project result;
  for (const auto id : outputs(*apply->left)) result.items.push_back({id, column(id)});
  if (project != nullptr) {
    result.items.insert(result.items.end(), project->items.begin(), project->items.end());
  } else {
    for (const auto id : outputs(*apply->right)) result.items.push_back({id, column(id)});
  }
  result.input = Rel{Join{JoinType::left, std::move(*apply->left), std::move(partners), std::move(on)}};
  rel = Rel{std::move(result)};
  return true;
}

}  // namespace

const Rule correlated_row_unnesting{
    .name = "correlated_row_unnesting",
    .kinds = rel_kinds<Apply>,
    .apply = unnest_correlated_row,
    .example = correlated_row_unnesting_example,
};

}  // namespace trustsql::plan::rules
