#include "plan/rules/distinct_to_semi_join.hpp"

#include <algorithm>

#include "plan/rules/cluster.hpp"
#include "plan/rules/common.hpp"

namespace trustsql::plan::rules {

namespace {

bool turn_distinct_into_semi_join(Rel& rel, RuleContext& context) {
  auto* distinct = rel.as<Distinct>();
  auto* project = distinct->input->as<Project>();
  if (project == nullptr || !distinct->collations.empty() || !is_cluster(*project->input)) return false;
  AttributeSet output_columns;
  AttributeSet used;
  for (const auto& item : project->items) {
    if (const auto* id = column_id(item.expr)) output_columns.add(*id);
    used |= references(item.expr);
    if (!is_repeatable(item.expr)) return false;
  }
  Rel copy = *project->input;
  auto cluster = take_apart(copy);
  if (std::any_of(cluster.conjuncts.begin(), cluster.conjuncts.end(),
                  [](const Expr& conjunct) { return is_volatile(conjunct); }))
    return false;
  Cluster rows;
  Cluster partners;
  AttributeSet of_partners;
  for (auto& leaf : cluster.leaves) {
    const auto columns = output_set(leaf);
    const bool is_shown = used.intersects(columns);
    if (!is_shown) of_partners |= columns;
    (is_shown ? rows : partners).leaves.push_back(std::move(leaf));
  }
  if (rows.leaves.empty() || partners.leaves.empty()) return false;
  AttributeSet of_rows;
  for (const auto& leaf : rows.leaves) of_rows |= output_set(leaf);
  std::vector<Expr> on;
  for (auto& conjunct : cluster.conjuncts) {
    const auto refers = references(conjunct);
    const bool to_partners = refers.intersects(of_partners);
    if (to_partners && refers.intersects(of_rows)) {
      on.push_back(std::move(conjunct));
    } else {
      (to_partners ? partners : rows).conjuncts.push_back(std::move(conjunct));
    }
  }
  Rel left = put_together(std::move(rows));
  if (!context.superkey(output_columns, context.facts(left))) return false;
  project->input = Rel{Join{JoinType::semi, std::move(left), put_together(std::move(partners)), std::move(on)}};
  replace_by_descendant(rel, *distinct->input);
  return true;
}

}  // namespace

const Rule distinct_to_semi_join{
    .name = "distinct_to_semi_join",
    .kinds = rel_kinds<Distinct>,
    .apply = turn_distinct_into_semi_join,
    .example = distinct_to_semi_join_example,
};

}  // namespace trustsql::plan::rules
