// Sorting, windows, duplicates, and subquery boundaries.
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

// Whether the condition is that the column, a rank, is 1.
bool is_first_rank(const Expr& condition, AttributeId rank) {
  const auto* compare = condition.as<Compare>();
  if (compare == nullptr) return false;
  const Expr one = literal(std::int64_t{1});
  const bool of_left = *compare->left == column(rank) && *compare->right == one;
  const bool of_right = *compare->right == column(rank) && *compare->left == one;
  return (of_left && (compare->op == CompareOp::equal || compare->op == CompareOp::less_equal)) ||
         (of_right && (compare->op == CompareOp::equal || compare->op == CompareOp::greater_equal));
}

// The rows of the first rank have the extreme value of their partition.
bool rank_to_extreme(const Change& c) {
  const auto* window = unfiltered(c.before).as<Window>();
  const auto* project = unfiltered(c.after).as<Project>();
  const auto* join = project != nullptr ? project->input->as<Join>() : nullptr;
  const auto* extreme = join != nullptr ? join->right->as<Aggregate>() : nullptr;
  if (window == nullptr || extreme == nullptr || window->calls.size() != 1 || extreme->calls.size() != 1 ||
      join->type != JoinType::inner || !(*join->left == *window->input) || is_volatile(*window->input) ||
      !free_attributes(*window->input).empty())
    return false;
  const auto& rank = window->calls.front();
  const auto dropped = difference(conditions_of(c.before), conditions_of(c.after));
  if (!dropped || dropped->size() != 1 || !is_first_rank(dropped->front(), rank.id) || rank.order_by.size() != 1 ||
      rank.filter)
    return false;
  const auto& key = rank.order_by.front();
  const auto& call = extreme->calls.front();
  const auto* id = column_id(key.expr);
  const auto known = knowledge_of(*window->input, c.given);
  if (id == nullptr || !known.columns.contains(*id) || key.collation != binary_collation ||
      (key.nulls_first && !known.non_null.contains(*id)))
    return false;
  const auto renaming = renaming_of_copy(*window->input, *extreme->input);
  if (!renaming) return false;
  Rel copy = *window->input;
  rename(copy, *renaming);
  const auto copied = [&](AttributeId each) {
    Expr expr = column(each);
    rename(expr, *renaming);
    return expr;
  };
  if (!(copy == *extreme->input) || call.name != (key.descending ? "max" : "min") || call.info == nullptr ||
      call.distinct || call.filter || call.collation != binary_collation || call.arguments.size() != 1 ||
      !(call.arguments.front() == copied(*id)))
    return false;
  // The columns that must be equal, and their partners.
  std::vector<std::pair<AttributeId, Expr>> pairs{{*id, column(call.id)}};
  AttributeSet columns{*id};
  std::vector<Expr> keys;
  for (const auto& part : rank.partition_by) {
    const auto* by = column_id(part.expr);
    if (by == nullptr || part.collation != binary_collation) return false;
    pairs.emplace_back(*by, copied(*by));
    keys.push_back(copied(*by));
    columns.add(*by);
  }
  if (extreme->grouped == keys.empty() || extreme->keys.size() != keys.size()) return false;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (!(extreme->keys[i].expr == keys[i]) || !(column(extreme->keys[i].id) == keys[i]) ||
        extreme->keys[i].collation != binary_collation)
      return false;
  }
  if (join->on.size() != pairs.size()) return false;
  for (const auto& pair : pairs) {
    const bool equated = std::any_of(join->on.begin(), join->on.end(), [&](const Expr& condition) {
      const auto* compare = condition.as<Compare>();
      const bool fits =
          compare != nullptr &&
          (compare->op == CompareOp::is || (compare->op == CompareOp::equal && known.non_null.contains(pair.first)));
      return fits && compare->how == Comparison{} && *compare->left == column(pair.first) &&
             *compare->right == pair.second;
    });
    if (!equated) return false;
  }
  // Without ties only one row is first.
  if (rank.name != "rank" && rank.name != "dense_rank" && !(rank.name == "row_number" && known.is_key(columns)))
    return false;
  const auto ids = outputs(unfiltered(c.before));
  if (ids.size() != project->items.size()) return false;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const Expr expected = ids[i] == rank.id ? literal(std::int64_t{1}) : column(ids[i]);
    if (project->items[i].id != ids[i] || !(project->items[i].expr == expected)) return false;
  }
  return true;
}

// Whether the call aggregates all rows of a partition by columns of the input.
bool is_of_whole_partition(const WindowCall& call, const AttributeSet& inside) {
  using Kind = ast::FrameBound::Kind;
  const bool whole = call.frame ? call.frame->start.kind == Kind::unbounded_preceding &&
                                      call.frame->end.kind == Kind::unbounded_following &&
                                      call.frame->exclude == ast::FrameExclude::no_others
                                : call.order_by.empty();
  return whole && std::all_of(call.partition_by.begin(), call.partition_by.end(), [&](const GroupKey& key) {
           const auto* id = column_id(key.expr);
           return id != nullptr && key.collation == binary_collation && inside.contains(*id);
         });
}

// Whether `b`, over the copied rows of a group, is the same aggregate as the window function `a`.
bool is_call_of_group(const WindowCall& a, const AggregateCall& b, const Renaming& copies) {
  auto arguments = a.arguments;
  for (auto& argument : arguments) rename(argument, copies);
  Box<Expr> filter;
  if (a.filter) {
    filter = *a.filter;
    rename(*filter, copies);
  }
  return a.id == b.id && a.name == b.name && a.info != nullptr && skips_nulls(b) && !b.distinct && b.order_by.empty() &&
         a.collation == b.collation && arguments == b.arguments && filter == b.filter;
}

// Aggregates over whole partitions become groups that the rows are joined with.
bool window_to_groups(const Change& c) {
  const auto* window = c.before.as<Window>();
  const Rel& below = below_renamings(c.after);
  const auto* join = below.as<Join>();
  const auto* groups = join != nullptr ? join->right->as<Aggregate>() : nullptr;
  if (window == nullptr || groups == nullptr || join->type != JoinType::inner || groups->calls.empty() ||
      outputs(c.before) != outputs(c.after) || is_volatile(c.before) || !free_attributes(c.before).empty())
    return false;
  const auto renaming = renaming_of_copy(*window->input, *groups->input);
  if (!renaming) return false;
  Rel copy = *window->input;
  rename(copy, *renaming);
  if (!(copy == *groups->input)) return false;
  // The calls that the groups compute, and their partition.
  const auto inside = output_set(*window->input);
  std::vector<WindowCall> others;
  AttributeSet partition;
  bool any = false;
  for (const auto& call : window->calls) {
    const auto* result = call_of(*groups, call.id);
    if (result == nullptr) {
      others.push_back(call);
      continue;
    }
    if (!is_of_whole_partition(call, inside) || !is_call_of_group(call, *result, *renaming)) return false;
    AttributeSet columns;
    for (const auto& key : call.partition_by) columns.add(*column_id(key.expr));
    if (any && !(columns == partition)) return false;
    partition = columns;
    any = true;
  }
  if (!any || others.size() + groups->calls.size() != window->calls.size()) return false;
  const Rel left = others.empty() ? *window->input : Rel{Window{window->input, std::move(others)}};
  if (!(*join->left == left)) return false;
  // The keys are the copies of the partition, and the join equates them with it, NULLs included.
  const auto known = knowledge_of(*window->input, c.given);
  if (groups->grouped == partition.empty() || groups->keys.size() != partition.size() ||
      join->on.size() != partition.size())
    return false;
  bool equated = true;
  partition.for_each([&](AttributeId id) {
    Expr own = column(id);
    rename(own, *renaming);
    const auto key = std::find_if(groups->keys.begin(), groups->keys.end(), [&](const GroupKey& each) {
      return each.expr == own && column(each.id) == own && each.collation == binary_collation;
    });
    const bool joined = std::any_of(join->on.begin(), join->on.end(), [&](const Expr& condition) {
      const auto* compare = condition.as<Compare>();
      return compare != nullptr &&
             (compare->op == CompareOp::is || (compare->op == CompareOp::equal && known.non_null.contains(id))) &&
             compare->how == Comparison{} && *compare->left == column(id) && *compare->right == own;
    });
    equated = equated && key != groups->keys.end() && joined;
  });
  return equated;
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

// The first value of a window by another name.
bool window_function_spelling(const Change& c) {
  const auto* before = c.before.as<Window>();
  const auto* after = c.after.as<Window>();
  return before != nullptr && after != nullptr && *before->input == *after->input &&
         std::equal(before->calls.begin(), before->calls.end(), after->calls.begin(), after->calls.end(),
                    [](WindowCall a, const WindowCall& b) {
                      if (a.name == "nth_value" && b.name == "first_value" && a.info != nullptr && b.info != nullptr &&
                          a.arguments.size() == 2 && a.arguments.back() == literal(std::int64_t{1})) {
                        a.arguments.pop_back();
                        a.name = b.name;
                        a.info = b.info;
                      }
                      return a == b;
                    });
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

constexpr Law order_laws[] = {
    {"sort_removal", sort_removal},
    {"repeated_sort_removal", repeated_sort_removal},
    {"sort_key_reduction", sort_key_reduction},
    {"rank_to_extreme", rank_to_extreme},
    {"window_to_groups", window_to_groups},
    {"null_order", null_order},
    {"function_spelling", window_function_spelling},
    {"distinct_removal", distinct_removal},
    {"distinct_to_semi_join", distinct_to_semi_join},
    {"derived_table_inlining", derived_table_inlining},
};

}  // namespace

std::span<const Law> laws_of_orders() { return order_laws; }

}  // namespace trustsql::equiv::checker
