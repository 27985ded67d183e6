// Sorting, duplicates, and subquery boundaries.
#include <algorithm>

#include "equiv/checker/aggregates.hpp"
#include "equiv/checker/evaluator.hpp"
#include "equiv/checker/form.hpp"
#include "equiv/checker/laws.hpp"
#include "equiv/checker/products.hpp"
#include "plan/walk.hpp"

namespace trustsql::equiv::checker {

using namespace plan;

namespace {

bool sort_removal(const Change& c) {
  const auto* sort = c.before.as<Sort>();
  return sort != nullptr && c.demand.order == Demand::Order::none && c.after == *sort->input;
}

// The Sort whose order the rows of `rel` still have; `limited`: whether some rows were dropped.
const Sort* order_of(const Rel& rel, bool& limited) {
  if (const auto* n = rel.as<Project>()) return order_of(*n->input, limited);
  if (const auto* n = rel.as<Limit>()) {
    limited = true;
    return order_of(*n->input, limited);
  }
  return rel.as<Sort>();
}

bool repeated_sort_removal(const Change& c) {
  const auto* sort = c.before.as<Sort>();
  if (sort == nullptr || !(c.after == *sort->input)) return false;
  bool limited = false;
  const auto* inner = order_of(*sort->input, limited);
  return inner != nullptr && inner->keys == sort->keys &&
         std::none_of(sort->keys.begin(), sort->keys.end(), [](const SortKey& key) { return is_volatile(key.expr); });
}

bool sort_key_reduction(const Change& c) {
  const auto* sort = c.before.as<Sort>();
  if (sort == nullptr) return false;
  const auto known = knowledge_of(*sort->input, c.given);
  const auto* after = c.after.as<Sort>();
  const bool kept = after != nullptr && *after->input == *sort->input;
  if (!kept && !(c.after == *sort->input)) return false;
  if (!kept && known.has_one_row_at_most()) return true;
  static const std::vector<SortKey> none;
  const auto& keys = kept ? after->keys : none;
  std::size_t position = 0;
  AttributeSet decided;
  for (const auto& key : sort->keys) {
    const auto* id = column_id(key.expr);
    if (position < keys.size() && keys[position] == key) {
      ++position;
      if (id != nullptr && key.collation == binary_collation) decided.add(*id);
      continue;
    }
    const bool fixed = !references(key.expr).intersects(known.columns) && !is_volatile(key.expr);
    const bool repeated = std::any_of(
        keys.begin(), keys.begin() + static_cast<std::ptrdiff_t>(position),
        [&](const SortKey& earlier) { return earlier.expr == key.expr && earlier.collation == key.collation; });
    if (!fixed && !repeated && (id == nullptr || !known.closure(decided).contains(*id))) return false;
  }
  return position == keys.size();
}

// A test for NULL says where the next key puts its NULLs.
bool null_order(const Change& c) {
  const auto* before = c.before.as<Sort>();
  const auto* after = c.after.as<Sort>();
  if (before == nullptr || after == nullptr || !(*before->input == *after->input) ||
      before->keys.size() != after->keys.size() + 1)
    return false;
  for (std::size_t i = 0; i < after->keys.size(); ++i) {
    if (before->keys[i] == after->keys[i]) continue;
    const auto* test = before->keys[i].expr.as<IsNull>();
    auto key = before->keys[i + 1];
    if (test == nullptr || !(*test->operand == key.expr) || is_volatile(key.expr)) return false;
    // NULLs come first if the test is smaller for them and sorts upwards, or greater and sorts downwards.
    key.nulls_first = before->keys[i].descending ? !test->negated : test->negated;
    return key == after->keys[i] &&
           std::equal(after->keys.begin() + static_cast<std::ptrdiff_t>(i) + 1, after->keys.end(),
                      before->keys.begin() + static_cast<std::ptrdiff_t>(i) + 2);
  }
  return false;
}

bool distinct_removal(const Change& c) {
  const auto* distinct = c.before.as<Distinct>();
  if (distinct == nullptr || !(c.after == *distinct->input) || !distinct->collations.empty()) return false;
  return !c.demand.repeats || knowledge_of(*distinct->input, c.given).is_key(output_set(*distinct->input));
}

// DISTINCT over a join of which one side distinguishes the rows already.
bool distinct_to_semi_join(const Change& c) {
  const auto* distinct = c.before.as<Distinct>();
  const auto* before = distinct != nullptr ? distinct->input->as<Project>() : nullptr;
  const auto* after = c.after.as<Project>();
  const auto* semi = after != nullptr ? after->input->as<Join>() : nullptr;
  if (before == nullptr || semi == nullptr || !distinct->collations.empty() || semi->type != JoinType::semi ||
      !(before->items == after->items))
    return false;
  const auto left = output_set(*semi->left);
  AttributeSet shown;
  for (const auto& item : before->items) {
    if (!is_fixed(item.expr) || references(item.expr).intersects(output_set(*semi->right))) return false;
    if (const auto* id = column_id(item.expr)) shown.add(*id);
  }
  if (!knowledge_of(*semi->left, c.given).is_key(shown & left)) return false;
  const Rel joined{Join{JoinType::inner, semi->left, semi->right, semi->on}};
  return same_rows(*before->input, joined, outputs(*semi->left), false, c.given);
}

// Removes sorting at the top, below projections.
Rel unsorted(Rel rel) {
  if (auto* project = rel.as<Project>()) {
    *project->input = unsorted(std::move(*project->input));
  } else if (auto* sort = rel.as<Sort>()) {
    replace_by_descendant(rel, *sort->input);
  }
  return rel;
}

bool derived_table_inlining(const Change& c) {
  const auto* derived = c.before.as<Derived>();
  if (derived == nullptr || (derived->definition >= 0 && is_volatile(*derived->input))) return false;
  return c.after == *derived->input || (c.demand.order != Demand::Order::used && c.after == unsorted(*derived->input));
}

// A DISTINCT on each side of a left join is one above it.
bool distinct_above_left_join(const Change& c) {
  const auto* before = c.before.as<Join>();
  const auto* distinct = c.after.as<Distinct>();
  const auto* after = distinct != nullptr ? distinct->input->as<Join>() : nullptr;
  if (before == nullptr || after == nullptr || before->type != JoinType::left || after->type != JoinType::left ||
      !distinct->collations.empty() || !(before->on == after->on) || is_volatile(c.before))
    return false;
  const auto is_made_distinct = [&](const Rel& rel, const Rel& rows) {
    const auto* own = rel.as<Distinct>();
    const auto ids = outputs(rel);
    return own != nullptr && own->collations.empty() && *own->input == rows &&
           std::all_of(ids.begin(), ids.end(),
                       [&](AttributeId id) { return has_one_spelling(column(id), c.given.attributes); });
  };
  const auto is_distinct = [&](const Rel& rel) {
    const auto ids = outputs(rel);
    return knowledge_of(rel, c.given).is_key(AttributeSet::of(ids)) &&
           std::all_of(ids.begin(), ids.end(),
                       [&](AttributeId id) { return has_one_spelling(column(id), c.given.attributes); });
  };
  return is_made_distinct(*before->left, *after->left) &&
         (is_made_distinct(*before->right, *after->right) ||
          (*before->right == *after->right && is_distinct(*before->right)));
}

constexpr Law order_laws[] = {
    {"distinct_above_left_join", distinct_above_left_join},
    {"sort_removal", sort_removal},
    {"repeated_sort_removal", repeated_sort_removal},
    {"sort_key_reduction", sort_key_reduction},
    {"null_order", null_order},
    {"distinct_removal", distinct_removal},
    {"distinct_to_semi_join", distinct_to_semi_join},
    {"derived_table_inlining", derived_table_inlining},
};

}  // namespace

std::span<const Law> laws_of_orders() { return order_laws; }

}  // namespace trustsql::equiv::checker
