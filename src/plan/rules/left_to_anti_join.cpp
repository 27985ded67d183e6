#include "plan/rules/left_to_anti_join.hpp"

#include "plan/rules/cluster.hpp"
#include "plan/rules/common.hpp"

namespace trustsql::plan::rules {

namespace {

bool turn_into_anti_join(Rel& rel, RuleContext& context) {
  auto* filter = rel.as<Filter>();
  auto* join = filter->input->as<Join>();
  if (join == nullptr || join->type != JoinType::left) return false;
  const auto right = output_set(*join->right);
  for (std::size_t i = 0; i < filter->conjuncts.size(); ++i) {
    const auto* test = filter->conjuncts[i].as<IsNull>();
    const auto* id = test != nullptr && !test->negated ? column_id(*test->operand) : nullptr;
    if (id == nullptr || !right.contains(*id)) continue;
    auto facts = context.facts(*join->right);
    add_facts_of_conjuncts(facts, join->on, context.plan());
    if (!context.non_null(column(*id), facts)) continue;
    auto conjuncts = std::move(filter->conjuncts);
    conjuncts.erase(conjuncts.begin() + static_cast<std::ptrdiff_t>(i));
    const auto ids = outputs(*filter->input);
    join->type = JoinType::anti;
    // Above, its columns are NULL from here on; below, the columns get new ids.
    Renaming renaming;
    *join->right = copy_with_new_ids(*join->right, context.plan(), &renaming);
    for (auto& conjunct : join->on) rename(conjunct, renaming);
    Project project;
    for (const auto output : ids)
      project.items.push_back({output, right.contains(output) ? literal({}) : column(output)});
    project.input = std::move(*filter->input);
    rel = with_filter(Rel{std::move(project)}, std::move(conjuncts));
    return true;
  }
  return false;
}

}  // namespace

const Rule left_to_anti_join{
    .name = "left_to_anti_join",
    .kinds = rel_kinds<Filter>,
    .apply = turn_into_anti_join,
    .example = left_to_anti_join_example,
};

}  // namespace trustsql::plan::rules
