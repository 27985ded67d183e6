#include "plan/rules/right_to_left_join.hpp"

#include "plan/rules/cluster.hpp"

namespace trustsql::plan::rules {

namespace {

bool turn_right_join_into_left_join(Rel& rel, RuleContext&) {
  auto* join = rel.as<Join>();
  if (join->type != JoinType::right || join->left->is<TableFunction>() || join->right->is<TableFunction>())
    return false;
  const auto ids = outputs(rel);
  std::swap(join->left, join->right);
  join->type = JoinType::left;
  rel = with_outputs(std::move(rel), ids);
  return true;
}

}  // namespace

const Rule right_to_left_join{
    .name = "right_to_left_join",
    .kinds = rel_kinds<Join>,
    .apply = turn_right_join_into_left_join,
    .example = right_to_left_join_example,
};

}  // namespace trustsql::plan::rules
