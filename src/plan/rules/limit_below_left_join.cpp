#include "plan/rules/limit_below_left_join.hpp"

#include <algorithm>

#include "plan/rules/common.hpp"

namespace trustsql::plan::rules {

namespace {

bool push(Rel& rel, RuleContext& context) {
  auto* limit = rel.as<Limit>();
  auto* project = limit->input->as<Project>();
  auto& sorted = project != nullptr ? project->input : limit->input;
  auto* sort = sorted->as<Sort>();
  auto* join = sort != nullptr ? sort->input->as<Join>() : nullptr;
  if (join == nullptr || join->type != JoinType::left || is_volatile(*join->right)) return false;
  const auto right = output_set(*join->right);
  const bool by_left = std::none_of(sort->keys.begin(), sort->keys.end(), [&](const SortKey& key) {
    return references(key.expr).intersects(right) || has_subquery(key.expr) || is_volatile(key.expr);
  });
  if (!by_left) return false;
  auto facts = context.facts(*join->right);
  add_facts_of_conjuncts(facts, join->on, context.plan());
  if (!context.single_row(facts)) return false;
  // What stays above the limit, without it.
  Rel above = std::move(*limit->input);
  project = above.as<Project>();
  sort = (project != nullptr ? *project->input : above).as<Sort>();
  join = sort->input->as<Join>();
  limit->input = Rel{Sort{std::move(*join->left), sort->keys}};
  *join->left = std::move(rel);
  rel = std::move(above);
  return true;
}

}  // namespace

const Rule limit_below_left_join{
    .name = "limit_below_left_join",
    .kinds = rel_kinds<Limit>,
    .on_rel = push,
};

}  // namespace trustsql::plan::rules
