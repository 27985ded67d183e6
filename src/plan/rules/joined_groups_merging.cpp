#include "plan/rules/joined_groups_merging.hpp"

#include <algorithm>
#include <map>

#include "plan/aggregates.hpp"
#include "plan/rules/cluster.hpp"
#include "plan/rules/common.hpp"

namespace trustsql::plan::rules {

namespace {

// The leaf as groups by plain columns; a DISTINCT has no calls. nullopt for another relation.
std::optional<Aggregate> plain_groups_of(const Rel& leaf, const Plan& plan) {
  Aggregate groups;
  if (const auto* aggregate = leaf.as<Aggregate>()) {
    groups = *aggregate;
  } else if (const auto* distinct = leaf.as<Distinct>(); distinct != nullptr && distinct->collations.empty()) {
    groups.grouped = true;
    groups.input = *distinct->input;
    for (const auto id : outputs(leaf)) groups.keys.push_back({id, column(id), binary_collation});
  }
  const auto is_plain_key = [&](const GroupKey& key) {
    return key.expr == column(key.id) && key.collation == binary_collation && equal_is_identical(key.expr, plan);
  };
  const bool plain = groups.grouped && !groups.keys.empty() && !is_volatile(leaf) &&
                     std::all_of(groups.keys.begin(), groups.keys.end(), is_plain_key) &&
                     std::all_of(groups.calls.begin(), groups.calls.end(), is_basic);
  return plain ? std::optional(std::move(groups)) : std::nullopt;
}

// Whether the conjuncts make two columns equal.
bool are_equated(AttributeId a, AttributeId b, const std::vector<Expr>& conjuncts, const Plan& plan) {
  AttributeSet equal{a};
  for (bool again = true; again && !equal.contains(b);) {
    again = false;
    for (const auto& conjunct : conjuncts) {
      const auto* compare = conjunct.as<Compare>();
      const bool equates = compare != nullptr && (compare->op == CompareOp::equal || compare->op == CompareOp::is) &&
                           is_plain(*compare, plan);
      const auto* left = equates ? column_id(*compare->left) : nullptr;
      const auto* right = equates ? column_id(*compare->right) : nullptr;
      if (left == nullptr || right == nullptr || equal.contains(*left) == equal.contains(*right)) continue;
      equal.add(*left);
      equal.add(*right);
      again = true;
    }
  }
  return equal.contains(b);
}

// Computes `other` together with `groups`, and returns what the keys of `other` are called there; nullopt if they are
// not groups of the same rows by the same keys.
std::optional<Renaming> compute_both(Aggregate& groups, const Aggregate& other) {
  if (groups.keys.size() != other.keys.size() || (groups.calls.empty() && other.calls.empty())) return std::nullopt;
  Rel input = below_renamings(std::as_const(*groups.input));
  Rel copied = below_renamings(std::as_const(*other.input));
  auto rows = take_apart(input);
  const auto other_rows = take_apart(copied);
  const auto columns = unite_tables(rows, other_rows);
  if (!columns) return std::nullopt;
  auto conditions = other_rows.conjuncts;
  for (auto& condition : conditions) rename(condition, *columns);
  if (!std::is_permutation(conditions.begin(), conditions.end(), rows.conjuncts.begin(), rows.conjuncts.end()))
    return std::nullopt;
  Renaming keys;
  AttributeSet found;
  for (const auto& key : other.keys) {
    const auto own = columns->find(key.id);
    if (own == columns->end()) return std::nullopt;
    keys[key.id] = own->second;
    found.add(own->second);
  }
  AttributeSet own_keys;
  for (const auto& key : groups.keys) own_keys.add(key.id);
  if (!(found == own_keys)) return std::nullopt;
  groups.input = put_together(std::move(rows));
  for (auto call : other.calls) {
    for (auto& argument : call.arguments) rename(argument, *columns);
    if (call.filter) rename(*call.filter, *columns);
    groups.calls.push_back(std::move(call));
  }
  return keys;
}

// Puts a projection above `rel` in which the removed keys are the kept ones.
void pass_on(Rel& rel, const std::vector<AttributeId>& ids, const Renaming& keys) {
  std::map<AttributeId, Expr> kept;
  for (const auto& [theirs, own] : keys) kept.emplace(theirs, column(AttributeId(own)));
  project_above(rel, ids, kept);
}

bool merge_inner_joined(Rel& rel, RuleContext& context) {
  if (is_part_of_cluster(context.parent()) || !is_cluster(rel)) return false;
  const auto& plan = context.plan();
  Rel copy = rel;
  auto cluster = take_apart(copy);
  for (std::size_t i = 0; i < cluster.leaves.size(); ++i) {
    const auto groups = plain_groups_of(cluster.leaves[i], plan);
    if (!groups) continue;
    for (std::size_t j = i + 1; j < cluster.leaves.size(); ++j) {
      const auto other = plain_groups_of(cluster.leaves[j], plan);
      auto both = *groups;
      const auto keys = other ? compute_both(both, *other) : std::nullopt;
      const bool joined = keys && std::all_of(keys->begin(), keys->end(), [&](const auto& pair) {
                            return are_equated(pair.second, pair.first, cluster.conjuncts, plan);
                          });
      if (!joined) continue;
      const auto ids = outputs(rel);
      cluster.leaves[i] = Rel{std::move(both)};
      cluster.leaves.erase(cluster.leaves.begin() + static_cast<std::ptrdiff_t>(j));
      for (auto& conjunct : cluster.conjuncts) rename(conjunct, *keys);
      rel = put_together(std::move(cluster));
      pass_on(rel, ids, *keys);
      return true;
    }
  }
  return false;
}

// R LEFT JOIN groups LEFT JOIN groups, both on the same columns of R.
bool merge_left_joined(Rel& rel, RuleContext& context) {
  auto* outer = rel.as<Join>();
  auto* inner = below_renamings(*outer->left).as<Join>();
  if (inner == nullptr || inner->type != JoinType::left) return false;
  const auto& plan = context.plan();
  auto groups = plain_groups_of(*inner->right, plan);
  const auto other = groups ? plain_groups_of(*outer->right, plan) : std::nullopt;
  const auto keys = other ? compute_both(*groups, *other) : std::nullopt;
  if (!keys) return false;
  // Each row has one group at most: each key is equal to a column of the row.
  const auto rows = output_set(*inner->left);
  const bool has_one = std::all_of(groups->keys.begin(), groups->keys.end(), [&](const GroupKey& key) {
    bool found = false;
    rows.for_each([&](AttributeId id) { found = found || are_equated(key.id, id, inner->on, plan); });
    return found;
  });
  auto on = outer->on;
  for (auto& condition : on) rename(condition, *keys);
  const bool fixed = std::none_of(on.begin(), on.end(), [](const Expr& condition) { return is_volatile(condition); });
  if (!has_one || !fixed || !std::is_permutation(on.begin(), on.end(), inner->on.begin(), inner->on.end()))
    return false;
  const auto ids = outputs(rel);
  inner->right = Rel{*std::move(groups)};
  replace_by_descendant(rel, below_renamings(*outer->left));
  pass_on(rel, ids, *keys);
  return true;
}

bool merge_joined_groups(Rel& rel, RuleContext& context) {
  const auto* join = rel.as<Join>();
  return join != nullptr && join->type == JoinType::left ? merge_left_joined(rel, context)
                                                         : merge_inner_joined(rel, context);
}

}  // namespace

const Rule joined_groups_merging{
    .name = "joined_groups_merging",
    .kinds = rel_kinds<Filter, Join>,
    .apply = merge_joined_groups,
    .example = joined_groups_merging_example,
};

}  // namespace trustsql::plan::rules
