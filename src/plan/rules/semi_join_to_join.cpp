#include "plan/rules/semi_join_to_join.hpp"

#include "plan/rules/cluster.hpp"

namespace trustsql::plan::rules {

namespace {

bool turn_semi_join_into_join(Rel& rel, const Usage& usage, RuleContext& context) {
  auto* join = rel.as<Join>();
  // Once the subquery is a part of the query, the semi-join may move below its groups.
  if (join->type != JoinType::semi || join->left->is<Derived>()) return false;
  if (usage.duplicates_matter) {
    auto facts = context.facts(*join->right);
    add_facts_of_conjuncts(facts, join->on, context.plan());
    if (!context.single_row(facts)) return false;
  }
  const auto ids = outputs(*join->left);
  join->type = JoinType::inner;
  if (usage.positional) rel = with_outputs(std::move(rel), ids);
  return true;
}

}  // namespace

const Rule semi_join_to_join{
    .name = "semi_join_to_join",
    .kinds = rel_kinds<Join>,
    .apply = turn_semi_join_into_join,
    .example = semi_join_to_join_example,
};

}  // namespace trustsql::plan::rules
