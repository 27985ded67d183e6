#include "plan/rules/limit_below_left_join.hpp"

#include <algorithm>

#include "plan/rules/common.hpp"

namespace trustsql::plan::rules {

namespace {

// `rel`, or its input if it is a projection.
Rel& below_projection(Rel& rel) {
  auto* project = rel.as<Project>();
  return project != nullptr ? *project->input : rel;
}

// The key as an expression over the input of `rel`, if that is a projection.
SortKey below_projection(SortKey key, const Rel& rel) {
  if (const auto* project = rel.as<Project>()) {
    substitute(key.expr, [&](AttributeId id) -> const Expr* {
      const auto item = std::find_if(project->items.begin(), project->items.end(),
                                     [&](const ProjectItem& each) { return each.id == id; });
      return item != project->items.end() ? &item->expr : nullptr;
    });
  }
  return key;
}

bool push_below_left_join(Rel& rel, RuleContext& context) {
  auto* limit = rel.as<Limit>();
  auto* sort = below_projection(*limit->input).as<Sort>();
  if (sort == nullptr) return false;
  auto* join = below_projection(*sort->input).as<Join>();
  if (join == nullptr || join->type != JoinType::left || is_volatile(*join->right)) return false;
  const auto right = output_set(*join->right);
  std::vector<SortKey> keys;
  for (const auto& key : sort->keys) keys.push_back(below_projection(key, *sort->input));
  const bool by_left = std::none_of(keys.begin(), keys.end(), [&](const SortKey& key) {
    return references(key.expr).intersects(right) || has_subquery(key.expr) || is_volatile(key.expr);
  });
  if (!by_left) return false;
  auto facts = context.facts(*join->right);
  add_facts_of_conjuncts(facts, join->on, context.plan());
  if (!context.single_row(facts)) return false;
  // The operators that stay above the limit.
  Rel above = std::move(*limit->input);
  join = below_projection(*below_projection(above).as<Sort>()->input).as<Join>();
  limit->input = Rel{Sort{std::move(*join->left), std::move(keys)}};
  *join->left = std::move(rel);
  rel = std::move(above);
  return true;
}

}  // namespace

const Rule limit_below_left_join{
    .name = "limit_below_left_join",
    .kinds = rel_kinds<Limit>,
    .apply = push_below_left_join,
    .example = limit_below_left_join_example,
};

}  // namespace trustsql::plan::rules
