#include "plan/rules/left_join_removal.hpp"

namespace trustsql::plan::rules {

namespace {

bool remove_left(Rel& rel, const Usage& usage, RuleContext& context) {
  auto* join = rel.as<Join>();
  if (join->type != JoinType::left || usage.positional) return false;
  if (usage.needed.intersects(output_set(*join->right)) || is_volatile(*join->right)) return false;
  if (usage.duplicates_matter) {
    auto facts = context.facts(*join->right);
    add_facts_of_conjuncts(facts, join->on, context.plan());
    if (!context.single_row(facts)) return false;
  }
  replace_by_descendant(rel, *join->left);
  return true;
}

}  // namespace

const Rule left_join_removal{
    .name = "left_join_removal",
    .kinds = rel_kinds<Join>,
    .apply = remove_left,
    .example = left_join_removal_example,
};

}  // namespace trustsql::plan::rules
