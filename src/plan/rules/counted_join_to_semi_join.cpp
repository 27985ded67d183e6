#include "plan/rules/counted_join_to_semi_join.hpp"

#include <algorithm>

#include "plan/rules/cluster.hpp"
#include "plan/rules/common.hpp"

namespace trustsql::plan::rules {

namespace {

bool counts_values(const AggregateCall& call) {
  return call.name == "count" && call.info != nullptr && call.distinct && !call.filter && call.arguments.size() == 1 &&
         call.collation == binary_collation && call.arguments.front().is<Column>();
}
bool ignores_duplicates(const AggregateCall& call) {
  return (call.name == "min" || call.name == "max") && call.info != nullptr && !call.filter;
}

// The columns that conditions equate with `id`, so that either may stand for the other.
std::vector<AttributeId> equal_columns(AttributeId id, const std::vector<Expr>& conjuncts, const Plan& plan) {
  std::vector<AttributeId> equal{id};
  for (const auto& conjunct : conjuncts) {
    const auto* compare = conjunct.as<Compare>();
    if (compare == nullptr || compare->op != CompareOp::equal || !is_plain(*compare, plan) ||
        !equal_is_identical(*compare->left, *compare->right, plan))
      continue;
    const auto* left = column_id(*compare->left);
    const auto* right = column_id(*compare->right);
    if (left == nullptr || right == nullptr) continue;
    if (*left == id) equal.push_back(*right);
    if (*right == id) equal.push_back(*left);
  }
  return equal;
}

// The semi-join of the leaf `place` with the others.
Rel semi_join_of(Cluster cluster, std::size_t place) {
  Cluster rows;
  rows.leaves.push_back(std::move(cluster.leaves[place]));
  cluster.leaves.erase(cluster.leaves.begin() + static_cast<std::ptrdiff_t>(place));
  AttributeSet of_partners;
  for (const auto& leaf : cluster.leaves) of_partners |= output_set(leaf);
  const auto of_rows = output_set(rows.leaves.front());
  auto conjuncts = std::move(cluster.conjuncts);
  cluster.conjuncts = take_if(conjuncts, [&](const Expr& conjunct) {
    const auto used = references(conjunct);
    return used.intersects(of_partners) && !used.intersects(of_rows);
  });
  rows.conjuncts =
      take_if(conjuncts, [&](const Expr& conjunct) { return !references(conjunct).intersects(of_partners); });
  return Rel{
      Join{JoinType::semi, put_together(std::move(rows)), put_together(std::move(cluster)), std::move(conjuncts)}};
}

bool count_rows_with_partners(Rel& rel, RuleContext& context) {
  auto* aggregate = rel.as<Aggregate>();
  if (!is_cluster(*aggregate->input) || is_volatile(rel)) return false;
  const auto counted = std::find_if(aggregate->calls.begin(), aggregate->calls.end(), counts_values);
  if (counted == aggregate->calls.end()) return false;
  AttributeSet others;
  for (const auto& key : aggregate->keys) {
    if (!is_repeatable(key.expr)) return false;
    others |= references(key.expr);
  }
  for (const auto& call : aggregate->calls) {
    if (counts_values(call) && call.arguments == counted->arguments) continue;
    if (!ignores_duplicates(call) || !std::all_of(call.arguments.begin(), call.arguments.end(), is_repeatable))
      return false;
    others |= references(call.arguments);
  }
  Rel copy = *aggregate->input;
  auto cluster = take_apart(copy);
  if (cluster.leaves.size() < 2 || !std::all_of(cluster.conjuncts.begin(), cluster.conjuncts.end(), is_repeatable))
    return false;
  const auto inside = output_set(*aggregate->input);
  const bool independent = std::none_of(cluster.leaves.begin(), cluster.leaves.end(),
                                        [&](const Rel& leaf) { return free_attributes(leaf).intersects(inside); });
  if (!independent) return false;
  for (const auto id : equal_columns(*column_id(counted->arguments.front()), cluster.conjuncts, context.plan())) {
    for (std::size_t place = 0; place < cluster.leaves.size(); ++place) {
      const auto columns = output_set(cluster.leaves[place]);
      if (!columns.contains(id) || !(others & inside).is_subset_of(columns)) continue;
      Rel joined = semi_join_of(cluster, place);
      if (!context.superkey(AttributeSet{id}, context.facts(*joined.as<Join>()->left))) continue;
      aggregate->input = std::move(joined);
      for (auto& call : aggregate->calls) {
        if (!counts_values(call)) continue;
        call.distinct = false;
        call.arguments.front() = column(id);
      }
      return true;
    }
  }
  return false;
}

}  // namespace

const Rule counted_join_to_semi_join{
    .name = "counted_join_to_semi_join",
    .kinds = rel_kinds<Aggregate>,
    .apply = count_rows_with_partners,
    .example = counted_join_to_semi_join_example,
};

}  // namespace trustsql::plan::rules
