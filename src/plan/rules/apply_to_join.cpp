#include "plan/rules/apply_to_join.hpp"

namespace trustsql::plan::rules {

namespace {

bool turn_apply_into_join(Rel& rel, RuleContext& context) {
  auto* apply = rel.as<Apply>();
  if (apply->type != ApplyType::scalar || free_attributes(*apply->right).intersects(output_set(*apply->left)))
    return false;
  const auto facts = context.facts(*apply->right);
  if (!context.single_row(facts)) return false;
  Join join{facts.non_empty ? JoinType::inner : JoinType::left, std::move(*apply->left), std::move(*apply->right), {}};
  rel = Rel{std::move(join)};
  return true;
}

}  // namespace

const Rule apply_to_join{
    .name = "apply_to_join",
    .kinds = rel_kinds<Apply>,
    .apply = turn_apply_into_join,
    .example = apply_to_join_example,
};

}  // namespace trustsql::plan::rules
