#include "plan/rules/distinct_join_to_semi_join.hpp"

#include <algorithm>

#include "plan/rules/common.hpp"

namespace trustsql::plan::rules {

namespace {

bool turn_distinct_join_into_semi_join(Rel& rel, const Usage& usage, RuleContext& context) {
  auto* join = rel.as<Join>();
  if (join->type != JoinType::inner || usage.positional) return false;
  const auto& plan = context.plan();
  for (const bool right_distinct : {true, false}) {
    Rel& side = right_distinct ? *join->right : *join->left;
    auto* distinct = side.as<Distinct>();
    if (distinct == nullptr || !distinct->collations.empty()) continue;
    const auto inside = output_set(side);
    Renaming to_other;
    bool plain = true;
    for (const auto& conjunct : join->on) {
      if (!references(conjunct).intersects(inside)) continue;
      const auto* compare = conjunct.as<Compare>();
      const auto* left = compare != nullptr ? column_id(*compare->left) : nullptr;
      const auto* right = compare != nullptr ? column_id(*compare->right) : nullptr;
      plain = left != nullptr && right != nullptr &&
              (compare->op == CompareOp::equal || compare->op == CompareOp::is) &&
              inside.contains(*left) != inside.contains(*right) && is_plain(*compare, plan) &&
              equal_is_identical(*compare->left, *compare->right, plan);
      if (!plain) break;
      to_other.emplace(inside.contains(*left) ? *left : *right, inside.contains(*left) ? *right : *left);
    }
    if (!plain || to_other.size() != inside.size()) continue;
    if (free_attributes(side).intersects(output_set(right_distinct ? *join->left : *join->right))) continue;
    if (!right_distinct) std::swap(join->left, join->right);
    join->type = JoinType::semi;
    // Below, the columns keep their names; above, the equal columns replace them.
    auto* below = join->right->as<Distinct>();
    replace_by_descendant(*join->right, *below->input);
    Renaming fresh;
    *join->right = copy_with_new_ids(*join->right, context.plan(), &fresh);
    for (auto& conjunct : join->on) rename(conjunct, fresh);
    if (usage.needed.intersects(inside)) context.rename_later(std::move(to_other));
    return true;
  }
  return false;
}

}  // namespace

const Rule distinct_join_to_semi_join{
    .name = "distinct_join_to_semi_join",
    .kinds = rel_kinds<Join>,
    .apply = turn_distinct_join_into_semi_join,
    .example = distinct_join_to_semi_join_example,
};

}  // namespace trustsql::plan::rules
