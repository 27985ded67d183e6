#include "plan/rules/pairs_to_count.hpp"

#include <algorithm>

#include "plan/rules/cluster.hpp"
#include "plan/rules/common.hpp"

namespace trustsql::plan::rules {

namespace {

// How a row of one use of a table is paired with a row of another.
struct Pairing {
  std::vector<AttributeId> keys;   // of the first use, in which the two agree
  Renaming of_copy;                // from the columns of the second use to those of the first
  std::optional<AttributeId> own;  // of the first use, in which the two differ
};

// The column of `scan` that is the same as the column `id` of `other`; nullopt if there is none.
std::optional<AttributeId> same_column(const Scan& scan, const Scan& other, AttributeId id) {
  const auto theirs =
      std::find_if(other.columns.begin(), other.columns.end(), [&](const auto& c) { return c.id == id; });
  if (theirs == other.columns.end()) return std::nullopt;
  const auto own = std::find_if(scan.columns.begin(), scan.columns.end(),
                                [&](const auto& c) { return c.position == theirs->position; });
  return own == scan.columns.end() ? std::nullopt : std::optional(own->id);
}

std::optional<Pairing> pairing_of(const Join& join, const Plan& plan) {
  const auto* first = join.left->as<Scan>();
  const auto* second = join.right->as<Scan>();
  if ((join.type != JoinType::inner && join.type != JoinType::semi) || first == nullptr || second == nullptr ||
      first->table == nullptr || first->table != second->table)
    return std::nullopt;
  Pairing pairing;
  const auto inside = output_set(*join.left);
  for (const auto& condition : join.on) {
    const auto* compare = condition.as<Compare>();
    if (compare == nullptr || !is_plain(*compare, plan)) return std::nullopt;
    const auto* left = column_id(*compare->left);
    const auto* right = column_id(*compare->right);
    if (left == nullptr || right == nullptr || inside.contains(*left) == inside.contains(*right)) return std::nullopt;
    const auto own = inside.contains(*left) ? *left : *right;
    const auto theirs = inside.contains(*left) ? *right : *left;
    if (same_column(*first, *second, theirs) != own) return std::nullopt;
    if (compare->op == CompareOp::equal) {
      if (!equal_is_identical(column(own), plan)) return std::nullopt;
      pairing.keys.push_back(own);
      pairing.of_copy[theirs] = own;
    } else if (!pairing.own && (compare->op == CompareOp::less || compare->op == CompareOp::greater ||
                                compare->op == CompareOp::not_equal)) {
      pairing.own = own;
    } else {
      return std::nullopt;
    }
  }
  if (pairing.keys.empty() || !pairing.own) return std::nullopt;
  return pairing;
}

bool count_rows_of_groups(Rel& rel, RuleContext& context) {
  auto* distinct = rel.as<Distinct>();
  auto* project = distinct->input->as<Project>();
  auto* join = project != nullptr ? project->input->as<Join>() : nullptr;
  if (join == nullptr || !distinct->collations.empty()) return false;
  auto& plan = context.plan();
  const auto pairing = pairing_of(*join, plan);
  if (!pairing) return false;
  // Exactly the keys are asked for.
  AttributeSet shown;
  for (auto& item : project->items) {
    const auto* id = column_id(item.expr);
    if (id == nullptr) return false;
    const auto copied = pairing->of_copy.find(*id);
    shown.add(copied != pairing->of_copy.end() ? copied->second : *id);
  }
  AttributeSet keys;
  std::vector<Expr> filled;
  auto facts = context.facts(*join->left);
  for (const auto key : pairing->keys) {
    if (keys.contains(key)) continue;
    keys.add(key);
    if (!facts.non_null.contains(key)) filled.push_back(is_null(column(key), true));
  }
  if (!(shown == keys)) return false;
  add_facts_of_conjuncts(facts, filled, plan);
  auto all = keys;
  all.add(*pairing->own);
  if (!context.non_null(column(*pairing->own), facts) || !context.superkey(all, facts)) return false;
  auto count = count_of_rows(*pairing->own, plan);
  if (!count) return false;
  const auto counted = count->id;
  Aggregate groups;
  groups.grouped = true;
  keys.for_each([&](AttributeId key) { groups.keys.push_back({key, column(key), binary_collation}); });
  groups.calls.push_back(*std::move(count));
  groups.input = with_filter(std::move(*join->left), std::move(filled));
  for (auto& item : project->items) {
    const auto copied = pairing->of_copy.find(*column_id(item.expr));
    if (copied != pairing->of_copy.end()) item.expr = column(copied->second);
  }
  std::vector<Expr> enough;
  enough.push_back(compare(CompareOp::greater_equal, column(counted), literal(std::int64_t{2})));
  project->input = with_filter(Rel{std::move(groups)}, std::move(enough));
  Rel result = std::move(*distinct->input);
  rel = std::move(result);
  return true;
}

}  // namespace

const Rule pairs_to_count{
    .name = "pairs_to_count",
    .kinds = rel_kinds<Distinct>,
    .apply = count_rows_of_groups,
    .example = pairs_to_count_example,
};

}  // namespace trustsql::plan::rules
