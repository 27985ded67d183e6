// Relations of a single row beside groups and beside each other.
#include <algorithm>
#include <optional>
#include <vector>

#include "equiv/checker/aggregates.hpp"
#include "equiv/checker/laws.hpp"
#include "equiv/checker/products.hpp"
#include "equiv/checker/uses.hpp"
#include "plan/walk.hpp"

namespace trustsql::equiv::checker {

using namespace plan;

namespace {

// A relation as the product of others under conditions.
struct Product {
  std::vector<const Rel*> leaves;
  std::vector<Expr> conditions;

  explicit Product(const Rel& rel) { split_product(below_renamings(rel), leaves, conditions); }
};

bool have_same_conditions(const std::vector<Expr>& a, const std::vector<Expr>& b) {
  const auto rest = difference(a, b);
  return rest && rest->empty();
}

bool is_single_aggregate(const Aggregate* aggregate) {
  return aggregate != nullptr && !aggregate->grouped && aggregate->keys.empty() &&
         std::all_of(aggregate->calls.begin(), aggregate->calls.end(), is_basic_call);
}

std::vector<Expr> terms_of(const AggregateCall& call) {
  if (!call.filter) return {};
  const auto* both = call.filter->as<And>();
  return both != nullptr ? both->terms : std::vector<Expr>{*call.filter};
}

// Whether the calls of `merged` from `place` on are those of `own`, over rows of the same tables, of which more columns
// may be read in `merged`. Conditions that only the rows of `own` have must be in the filters of the calls.
bool has_calls_of(const Aggregate& merged, std::size_t place, const Aggregate& own) {
  const Product rows(*merged.input);
  const Product own_rows(*own.input);
  if (rows.leaves.size() != own_rows.leaves.size() || merged.calls.size() < place + own.calls.size()) return false;
  Renaming columns;
  for (std::size_t i = 0; i < rows.leaves.size(); ++i) {
    const auto* scan = rows.leaves[i]->as<Scan>();
    const auto* own_scan = own_rows.leaves[i]->as<Scan>();
    if (scan == nullptr || own_scan == nullptr || scan->table == nullptr || scan->table != own_scan->table)
      return false;
    for (const auto& each : own_scan->columns) {
      const auto* column = column_at(*scan, each.position);
      if (column == nullptr) return false;
      columns[each.id] = column->id;
    }
  }
  auto conditions = own_rows.conditions;
  for (auto& condition : conditions) rename(condition, columns);
  const auto own_conditions = difference(conditions, rows.conditions);
  if (!own_conditions || !std::all_of(own_conditions->begin(), own_conditions->end(), is_fixed)) return false;
  for (std::size_t i = 0; i < own.calls.size(); ++i) {
    auto call = own.calls[i];
    for (auto& argument : call.arguments) rename(argument, columns);
    if (call.filter) rename(*call.filter, columns);
    const auto& merged_call = merged.calls[place + i];
    if (!own_conditions->empty()) {
      auto terms = terms_of(call);
      terms.insert(terms.end(), own_conditions->begin(), own_conditions->end());
      if (!have_same_conditions(terms_of(merged_call), terms)) return false;
      call.filter = merged_call.filter;
    }
    if (!(call == merged_call)) return false;
  }
  return true;
}

bool scalar_aggregate_merging(const Change& c) {
  const Product before(c.before);
  const Product after(c.after);
  if (is_volatile(c.before) || !have_same_conditions(before.conditions, after.conditions)) return false;
  auto removed = before.leaves;
  const Aggregate* merged = nullptr;
  for (const auto* leaf : after.leaves) {
    const auto same = std::find_if(removed.begin(), removed.end(), [&](const Rel* other) { return *other == *leaf; });
    if (same != removed.end()) {
      removed.erase(same);
    } else if (merged != nullptr) {
      return false;
    } else {
      merged = leaf->as<Aggregate>();
      if (merged == nullptr) return false;
    }
  }
  if (removed.size() < 2 || !is_single_aggregate(merged)) return false;
  std::size_t place = 0;
  for (const auto* leaf : removed) {
    const auto* part = leaf->as<Aggregate>();
    if (!is_single_aggregate(part) || !has_calls_of(*merged, place, *part)) return false;
    place += part->calls.size();
  }
  return place == merged->calls.size();
}

bool single_row_above_groups(const Change& c) {
  const auto* before = c.before.as<Aggregate>();
  const auto* project = c.after.as<Project>();
  const auto* join = project != nullptr ? project->input->as<Join>() : nullptr;
  const auto* groups = join != nullptr && join->type == JoinType::inner ? join->left->as<Aggregate>() : nullptr;
  if (before == nullptr || groups == nullptr || !before->grouped || !groups->grouped || !join->on.empty() ||
      before->of_distinct != groups->of_distinct || is_volatile(c.before))
    return false;
  const Rel& single = unfiltered(*join->right);
  const auto& of_single = conditions_of(*join->right);
  std::vector<const Rel*> leaves;
  std::vector<const Rel*> leaves_after;
  std::vector<Expr> conditions;
  std::vector<Expr> conditions_after;
  split_product(*before->input, leaves, conditions);
  split_product(*groups->input, leaves_after, conditions_after);
  const auto place = std::find_if(leaves.begin(), leaves.end(), [&](const Rel* leaf) { return *leaf == single; });
  if (place == leaves.end() || !knowledge_of(single, c.given).has_one_row_at_most()) return false;
  leaves.erase(place);
  conditions_after.insert(conditions_after.end(), of_single.begin(), of_single.end());
  const bool same_leaves = std::equal(leaves.begin(), leaves.end(), leaves_after.begin(), leaves_after.end(),
                                      [](const Rel* a, const Rel* b) { return *a == *b; });
  if (!same_leaves || !have_same_conditions(conditions, conditions_after)) return false;
  // What is computed of the single row must use it alone, and the groups must not use it.
  const auto inside = output_set(single);
  const auto rows = output_set(*groups->input);
  if (references(of_single).intersects(rows) || free_attributes(*join->left).intersects(inside)) return false;
  std::size_t kept = 0;
  for (const auto& item : project->items) {
    if (item.is_pass_through() && output_set(*join->left).contains(item.id)) {
      ++kept;
      continue;
    }
    const auto* key = key_of(*before, item.id);
    const auto* call = call_of(*before, item.id);
    const Expr* value = key != nullptr ? &key->expr : nullptr;
    if (call != nullptr && call->is_bare() && !call->filter) value = &call->arguments.front();
    if (value == nullptr || !(*value == item.expr) || !is_fixed(*value) || references(*value).intersects(rows))
      return false;
  }
  const bool same_keys = std::all_of(groups->keys.begin(), groups->keys.end(), [&](const GroupKey& key) {
    const auto* old = key_of(*before, key.id);
    return old != nullptr && *old == key;
  });
  const bool same_calls = std::all_of(groups->calls.begin(), groups->calls.end(), [&](const AggregateCall& call) {
    const auto* old = call_of(*before, call.id);
    return old != nullptr && *old == call;
  });
  return same_keys && same_calls && kept == groups->keys.size() + groups->calls.size();
}

constexpr Law single_row_laws[] = {
    {"scalar_aggregate_merging", scalar_aggregate_merging},
    {"single_row_above_groups", single_row_above_groups},
};

}  // namespace

std::span<const Law> laws_of_single_rows() { return single_row_laws; }

}  // namespace trustsql::equiv::checker
