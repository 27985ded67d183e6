// Aggregates that are computed together: relations of a single row, and groups by the same keys.
#include <algorithm>
#include <optional>
#include <vector>

#include "equiv/checker/aggregates.hpp"
#include "equiv/checker/evaluator.hpp"
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

// What the columns of `own` are called in `merged`, which reads the same tables and perhaps more of their columns;
// nullopt if it does not.
std::optional<Renaming> columns_in(const Product& merged, const Product& own) {
  if (merged.leaves.size() != own.leaves.size()) return std::nullopt;
  Renaming columns;
  for (std::size_t i = 0; i < merged.leaves.size(); ++i) {
    const auto* scan = merged.leaves[i]->as<Scan>();
    const auto* own_scan = own.leaves[i]->as<Scan>();
    if (scan == nullptr || own_scan == nullptr || scan->table == nullptr || scan->table != own_scan->table)
      return std::nullopt;
    for (const auto& each : own_scan->columns) {
      const auto* column = column_at(*scan, each.position);
      if (column == nullptr) return std::nullopt;
      columns[each.id] = column->id;
    }
  }
  return columns;
}

AggregateCall renamed(AggregateCall call, const Renaming& columns) {
  for (auto& argument : call.arguments) rename(argument, columns);
  if (call.filter) rename(*call.filter, columns);
  return call;
}

// Whether the calls of `merged` from `place` on are those of `own`, over rows of the same tables, of which more columns
// may be read in `merged`. Conditions that only the rows of `own` have must be in the filters of the calls.
bool has_calls_of(const Aggregate& merged, std::size_t place, const Aggregate& own) {
  const Product rows(*merged.input);
  const Product own_rows(*own.input);
  const auto columns = columns_in(rows, own_rows);
  if (!columns || merged.calls.size() < place + own.calls.size()) return false;
  auto conditions = own_rows.conditions;
  for (auto& condition : conditions) rename(condition, *columns);
  const auto own_conditions = difference(conditions, rows.conditions);
  if (!own_conditions || !std::all_of(own_conditions->begin(), own_conditions->end(), is_fixed)) return false;
  for (std::size_t i = 0; i < own.calls.size(); ++i) {
    auto call = renamed(own.calls[i], *columns);
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
  if (!are_equal(leaves, leaves_after) || !have_same_conditions(conditions, conditions_after)) return false;
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

// A relation as groups by columns; a DISTINCT has no calls. nullopt for another relation.
std::optional<Aggregate> as_groups(const Rel& rel) {
  Aggregate groups;
  if (const auto* aggregate = rel.as<Aggregate>()) {
    groups = *aggregate;
  } else if (const auto* distinct = rel.as<Distinct>(); distinct != nullptr && distinct->collations.empty()) {
    groups.grouped = true;
    groups.input = *distinct->input;
    for (const auto id : outputs(rel)) groups.keys.push_back({id, column(id), binary_collation});
  }
  if (!groups.grouped || groups.keys.empty() || is_volatile(rel)) return std::nullopt;
  return groups;
}

// Whether `merged` computes the calls of `a` and `b`, groups of the same rows, by the keys of `a`; `keys` becomes what
// the keys of `b` are called there.
bool computes_both(const Aggregate& merged, const Aggregate& a, const Aggregate& b, Renaming& keys,
                   const Given& given) {
  const Product rows(*merged.input);
  AttributeSet named;
  std::size_t place = 0;
  if (!merged.grouped || merged.calls.size() != a.calls.size() + b.calls.size() ||
      merged.keys.size() != b.keys.size() || merged.keys.size() != a.keys.size())
    return false;
  for (const auto* part : {&a, &b}) {
    const Product own_rows(*part->input);
    const auto columns = columns_in(rows, own_rows);
    auto conditions = own_rows.conditions;
    if (!columns) return false;
    for (auto& condition : conditions) rename(condition, *columns);
    if (conditions.size() != rows.conditions.size() || !have_same_conditions(conditions, rows.conditions) ||
        !std::all_of(conditions.begin(), conditions.end(), is_fixed))
      return false;
    for (const auto& call : part->calls) {
      if (!is_basic_call(call) || !(renamed(call, *columns) == merged.calls[place++])) return false;
    }
    for (const auto& key : part->keys) {
      const auto name = columns->find(key.id);
      const auto* same = name != columns->end() ? key_of(merged, name->second) : nullptr;
      if (same == nullptr || !(key.expr == column(key.id)) || key.collation != binary_collation ||
          !(same->expr == column(same->id)) || same->collation != binary_collation ||
          !has_one_spelling(same->expr, given.attributes))
        return false;
      if (part == &a ? same->id != key.id : !keys.emplace(key.id, same->id).second) return false;
      if (part == &b) named.add(same->id);
    }
  }
  return named.size() == merged.keys.size();
}

// Whether the conditions make two columns equal.
bool are_equal(AttributeId a, AttributeId b, const std::vector<Expr>& conditions, const Given& given) {
  std::vector<AttributeId> known{a};
  for (std::size_t i = 0; i < known.size(); ++i) {
    for (const auto& condition : conditions) {
      const auto* compare = condition.as<Compare>();
      if (compare == nullptr || (compare->op != CompareOp::equal && compare->op != CompareOp::is) ||
          !compares_plainly(*compare, given.attributes))
        continue;
      const auto* left = column_id(*compare->left);
      const auto* right = column_id(*compare->right);
      if (left == nullptr || right == nullptr || (*left != known[i] && *right != known[i])) continue;
      const auto other = *left == known[i] ? *right : *left;
      if (std::find(known.begin(), known.end(), other) == known.end()) known.push_back(other);
    }
  }
  return std::find(known.begin(), known.end(), b) != known.end();
}

// Groups of the same rows that are left joined with rows of which each has one group at most.
bool left_joined_groups_merging(const Join& outer, const Project& after, const Given& given) {
  const auto* inner = below_renamings(*outer.left).as<Join>();
  const auto* join = after.input->as<Join>();
  const auto* merged = join != nullptr ? join->right->as<Aggregate>() : nullptr;
  if (inner == nullptr || merged == nullptr || inner->type != JoinType::left || join->type != JoinType::left ||
      !(*inner->left == *join->left) || !(inner->on == join->on))
    return false;
  const auto a = as_groups(*inner->right);
  const auto b = as_groups(*outer.right);
  Renaming keys;
  if (!a || !b || !computes_both(*merged, *a, *b, keys, given)) return false;
  const auto rows = output_set(*inner->left);
  for (const auto& key : merged->keys) {
    bool equated = false;
    rows.for_each([&](AttributeId id) { equated = equated || are_equal(key.id, id, inner->on, given); });
    if (!equated) return false;
  }
  auto on = outer.on;
  for (auto& condition : on) rename(condition, keys);
  return on.size() == inner->on.size() && have_same_conditions(on, inner->on) &&
         std::none_of(on.begin(), on.end(), [](const Expr& condition) { return is_volatile(condition); }) &&
         std::all_of(after.items.begin(), after.items.end(), [&](const ProjectItem& item) {
           const auto key = keys.find(item.id);
           return item.expr == column(key != keys.end() ? key->second : item.id);
         });
}

// Groups of the same rows that are joined on their keys.
bool joined_groups_merging(const Change& c) {
  const auto* project = c.after.as<Project>();
  if (project == nullptr || outputs(c.before) != outputs(c.after)) return false;
  if (const auto* join = c.before.as<Join>(); join != nullptr && join->type == JoinType::left)
    return left_joined_groups_merging(*join, *project, c.given);
  std::vector<const Rel*> leaves;
  std::vector<const Rel*> leaves_after;
  std::vector<Expr> conditions;
  std::vector<Expr> conditions_after;
  split_product(c.before, leaves, conditions);
  split_product(*project->input, leaves_after, conditions_after);
  if (leaves.size() != leaves_after.size() + 1) return false;
  const auto is_kept = [](const Rel* leaf, const std::vector<const Rel*>& others) {
    return std::any_of(others.begin(), others.end(), [&](const Rel* other) { return *other == *leaf; });
  };
  std::vector<const Rel*> parts;
  const Rel* whole = nullptr;
  for (const auto* leaf : leaves) {
    if (!is_kept(leaf, leaves_after)) parts.push_back(leaf);
  }
  for (const auto* leaf : leaves_after) {
    if (is_kept(leaf, leaves)) continue;
    if (whole != nullptr) return false;
    whole = leaf;
  }
  const auto* merged = whole != nullptr ? whole->as<Aggregate>() : nullptr;
  if (merged == nullptr || parts.size() != 2) return false;
  const auto a = as_groups(*parts.front());
  const auto b = as_groups(*parts.back());
  Renaming keys;
  if (!a || !b || !computes_both(*merged, *a, *b, keys, c.given)) return false;
  for (const auto& [theirs, own] : keys) {
    if (!are_equal(own, theirs, conditions, c.given)) return false;
  }
  for (auto& condition : conditions) rename(condition, keys);
  if (conditions.size() != conditions_after.size() || !have_same_conditions(conditions, conditions_after)) return false;
  return std::all_of(project->items.begin(), project->items.end(), [&](const ProjectItem& item) {
    const auto key = keys.find(item.id);
    return item.expr == column(key != keys.end() ? key->second : item.id);
  });
}

constexpr Law single_row_laws[] = {
    {"scalar_aggregate_merging", scalar_aggregate_merging},
    {"single_row_above_groups", single_row_above_groups},
    {"joined_groups_merging", joined_groups_merging},
};

}  // namespace

std::span<const Law> laws_of_single_rows() { return single_row_laws; }

}  // namespace trustsql::equiv::checker
