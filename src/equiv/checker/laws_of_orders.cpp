// Sorting, limits, duplicates, and subquery boundaries.
#include <algorithm>

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

const std::int64_t* integer_in(const Box<Expr>& expr) {
  const auto* value = expr ? literal_value(*expr) : nullptr;
  return value != nullptr ? std::get_if<std::int64_t>(value) : nullptr;
}

// `count` rows of `rel`, starting at row `from` (count < 0: up to the last); nullopt if the numbers are not constant.
struct Range {
  const Rel* rel = nullptr;
  std::int64_t from = 0;
  std::int64_t count = -1;
};
std::optional<Range> range_of(const Rel& rel) {
  const auto* limit = rel.as<Limit>();
  if (limit == nullptr) return Range{&rel, 0, -1};
  const auto* count = integer_in(limit->count);
  if (count == nullptr || (limit->offset && integer_in(limit->offset) == nullptr)) return std::nullopt;
  auto inner = range_of(*limit->input);
  if (!inner)
    return Range{limit->input.get(), limit->offset ? std::max<std::int64_t>(*integer_in(limit->offset), 0) : 0,
                 *count < 0 ? -1 : *count};
  const auto offset = limit->offset ? std::max<std::int64_t>(*integer_in(limit->offset), 0) : 0;
  if (__builtin_add_overflow(inner->from, offset, &inner->from)) return std::nullopt;
  if (inner->count >= 0) inner->count = std::max<std::int64_t>(inner->count - offset, 0);
  if (*count >= 0) inner->count = inner->count < 0 ? *count : std::min(inner->count, *count);
  return inner;
}

// The number of rows that `rel` has at most; nullopt if nothing limits it.
std::optional<std::int64_t> most_rows(const Rel& rel) {
  constexpr std::int64_t largest = 1'000'000'000;
  if (const auto* limit = rel.as<Limit>()) {
    const auto inner = most_rows(*limit->input);
    const auto* count = integer_in(limit->count);
    const bool cuts = count != nullptr && *count >= 0 && *count <= largest;
    return cuts && (!inner || *count < *inner) ? *count : inner;
  }
  if (const auto* n = rel.as<Filter>()) return most_rows(*n->input);
  if (const auto* n = rel.as<Project>()) return most_rows(*n->input);
  if (const auto* n = rel.as<Sort>()) return most_rows(*n->input);
  if (const auto* n = rel.as<Distinct>()) return most_rows(*n->input);
  const auto* join = rel.as<Join>();
  return join != nullptr && (join->type == JoinType::semi || join->type == JoinType::anti) ? most_rows(*join->left)
                                                                                           : std::nullopt;
}

bool limit_simplification(const Change& c) {
  const auto before = range_of(c.before);
  const auto after = range_of(c.after);
  if (!before || !after || outputs(c.before) != outputs(c.after)) return false;
  const bool single = knowledge_of(*before->rel, c.given).has_one_row_at_most();
  const auto most = most_rows(*before->rel);
  if (const auto* values = c.after.as<Values>(); values != nullptr && values->rows.empty())
    return before->count == 0 || (single && before->from > 0) || (most && before->from >= *most);
  if (!(*before->rel == *after->rel)) return false;
  if (most && before->from == 0 && c.after == *before->rel && (before->count < 0 || before->count >= *most))
    return true;
  if (before->from == after->from && before->count == after->count) return true;
  return single && before->from == 0 && after->from == 0 && before->count != 0 && after->count != 0;
}

// limit(sort(R LEFT JOIN S)) takes rows of R if each has at most one match.
bool limit_below_left_join(const Change& c) {
  const auto* limit = c.before.as<Limit>();
  if (limit == nullptr) return false;
  const auto below = [](const Rel& rel) -> const Rel& {
    const auto* project = rel.as<Project>();
    return project != nullptr ? *project->input : rel;
  };
  const auto* sort = below(*limit->input).as<Sort>();
  const auto* join = sort != nullptr ? below(*sort->input).as<Join>() : nullptr;
  const auto* sort_now = below(c.after).as<Sort>();
  const auto* join_now = sort_now != nullptr ? below(*sort_now->input).as<Join>() : nullptr;
  const auto* limit_now = join_now != nullptr ? join_now->left->as<Limit>() : nullptr;
  const auto* inner = limit_now != nullptr ? limit_now->input->as<Sort>() : nullptr;
  if (join == nullptr || inner == nullptr || join->type != JoinType::left || is_volatile(*join->right) ||
      !(limit_now->count == limit->count) || !(limit_now->offset == limit->offset) || !(*inner->input == *join->left))
    return false;
  // The operators above the join must be the same as before.
  Rel expected = *limit->input;
  auto* place = expected.as<Project>() != nullptr ? expected.as<Project>()->input.get() : &expected;
  auto* input = place->as<Sort>()->input.get();
  auto* joined = (input->as<Project>() != nullptr ? *input->as<Project>()->input : *input).as<Join>();
  *joined->left = *join_now->left;
  if (!(expected == c.after)) return false;
  // The keys must use R only.
  auto keys = sort->keys;
  if (const auto* project = sort->input->as<Project>()) {
    for (auto& key : keys) substitute(key.expr, [&](AttributeId id) { return item_of(*project, id); });
  }
  const auto right = output_set(*join->right);
  const bool of_left = std::all_of(keys.begin(), keys.end(), [&](const SortKey& key) {
    return is_fixed(key.expr) && !references(key.expr).intersects(right);
  });
  auto known = knowledge_of(*join->right, c.given);
  learn(known, join->on, c.given);
  return of_left && keys == inner->keys && known.has_one_row_at_most();
}

// The first value in an order is the minimum or the maximum.
bool top_row_to_extreme(const Change& c) {
  const auto* limit = c.before.as<Limit>();
  const auto* count = limit != nullptr ? integer_in(limit->count) : nullptr;
  if (count == nullptr || *count != 1 || limit->offset) return false;
  const auto* project = limit->input->as<Project>();
  const auto* sort = (project != nullptr ? *project->input : *limit->input).as<Sort>();
  const auto* after = c.after.as<Project>();
  const auto* aggregate = after != nullptr ? after->input->as<Aggregate>() : nullptr;
  if (sort == nullptr || sort->keys.empty() || aggregate == nullptr || !aggregate->grouped ||
      !aggregate->keys.empty() || aggregate->calls.size() != 1)
    return false;
  const auto& key = sort->keys.front();
  const auto& call = aggregate->calls.front();
  const auto* id = column_id(key.expr);
  const auto known = knowledge_of(*sort->input, c.given);
  if (id == nullptr || !known.columns.contains(*id) || key.collation != binary_collation ||
      call.collation != binary_collation || call.distinct || call.filter || call.arguments.size() != 1 ||
      call.name != (key.descending ? "max" : "min") || call.info == nullptr)
    return false;
  // MIN and MAX ignore NULLs.
  if (key.nulls_first && !known.non_null.contains(*id)) return false;
  const auto renaming = renaming_of_copy(*sort->input, *aggregate->input);
  if (!renaming) return false;
  Rel copy = *sort->input;
  rename(copy, *renaming);
  Expr value = column(*id);
  rename(value, *renaming);
  if (!(copy == *aggregate->input) || !(call.arguments.front() == value)) return false;
  const bool one_spelling = has_one_spelling(key.expr, c.given.attributes);
  const Expr extreme = column(call.id);
  const auto ids = outputs(c.before);
  if (ids != outputs(c.after)) return false;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    Expr expected = project != nullptr ? project->items[i].expr : column(ids[i]);
    if (!references(expected).is_subset_of(AttributeSet{*id}) || !is_fixed(expected) ||
        (!one_spelling && !expected.is<plan::Column>()))
      return false;
    substitute(expected, [&](AttributeId) { return &extreme; });
    if (!(after->items[i].expr == expected)) return false;
  }
  return true;
}

// Limits on the inputs of a UNION ALL, under a limit that needs no more rows of them.
bool limit_in_union(const Change& c) {
  const auto* limit = c.before.as<Limit>();
  const auto* sort = limit != nullptr ? limit->input->as<Sort>() : nullptr;
  const auto* set = sort != nullptr ? below_renamings(*sort->input).as<SetOp>() : nullptr;
  const auto* limit_after = c.after.as<Limit>();
  const auto* sort_after = limit_after != nullptr ? limit_after->input->as<Sort>() : nullptr;
  const auto* set_after = sort_after != nullptr ? below_renamings(*sort_after->input).as<SetOp>() : nullptr;
  if (set == nullptr || set_after == nullptr || set->op != ast::SetOp::union_all ||
      set->inputs.size() != set_after->inputs.size() || is_volatile(c.before))
    return false;
  const auto* count = integer_in(limit->count);
  const auto* offset = integer_in(limit->offset);
  constexpr std::int64_t largest = 1'000'000'000;
  const bool known = count != nullptr && *count >= 0 && *count <= largest &&
                     (!limit->offset || (offset != nullptr && *offset <= largest));
  if (!known) return false;
  const std::int64_t last = *count + (offset != nullptr ? std::max<std::int64_t>(*offset, 0) : 0);
  // Rows that tie must be the same rows.
  for (const auto id : set->ids) {
    const auto key = std::find_if(sort->keys.begin(), sort->keys.end(),
                                  [&](const SortKey& each) { return each.expr == column(id); });
    if (key == sort->keys.end() || key->collation != binary_collation ||
        !has_one_spelling(key->expr, c.given.attributes))
      return false;
  }
  Rel expected = c.before;
  auto* inputs = expected.as<Limit>()->input->as<Sort>()->input.get();
  while (auto* project = inputs->as<Project>()) inputs = project->input.get();
  for (std::size_t i = 0; i < set->inputs.size(); ++i) {
    if (set->inputs[i] == set_after->inputs[i]) continue;
    const auto* own = set->inputs[i].as<Limit>();
    const auto* own_count = own != nullptr ? integer_in(own->count) : nullptr;
    const auto* own_sort = own != nullptr ? own->input->as<Sort>() : nullptr;
    if (own_count == nullptr || *own_count < last || own->offset || own_sort == nullptr ||
        own_sort->keys.size() != sort->keys.size())
      return false;
    const auto ids = outputs(set->inputs[i]);
    Renaming to_own;
    for (std::size_t k = 0; k < ids.size(); ++k) to_own[set->ids[k]] = ids[k];
    for (std::size_t k = 0; k < sort->keys.size(); ++k) {
      auto key = sort->keys[k];
      rename(key.expr, to_own);
      if (!(key == own_sort->keys[k])) return false;
    }
    inputs->as<SetOp>()->inputs[i] = *own_sort->input;
  }
  return expected == c.after;
}

// The first of equal rows.
bool limited_constant(const Change& c) {
  const auto* limit = c.before.as<Limit>();
  const auto* count = limit != nullptr ? integer_in(limit->count) : nullptr;
  if (count == nullptr || *count != 1 || limit->offset || is_volatile(*limit->input)) return false;
  if (const auto* group = c.after.as<Aggregate>()) {
    return group->grouped && group->keys.empty() && group->calls.empty() && *group->input == *limit->input &&
           c.demand.needed.empty() && !c.demand.places;
  }
  const auto* distinct = c.after.as<Distinct>();
  if (distinct == nullptr || !distinct->collations.empty()) return false;
  const auto& rows = *distinct->input;
  const auto* project = rows.as<Project>();
  const bool same_rows =
      rows == *limit->input || (project != nullptr && *project->input == *limit->input &&
                                std::all_of(project->items.begin(), project->items.end(),
                                            [](const ProjectItem& item) { return item.is_pass_through(); }));
  const auto ids = outputs(rows);
  const auto fixed = knowledge_of(*limit->input, c.given).closure({});
  return same_rows && !ids.empty() && (!c.demand.places || ids == outputs(c.before)) &&
         std::all_of(ids.begin(), ids.end(), [&](AttributeId id) {
           return fixed.contains(id) && has_one_spelling(column(id), c.given.attributes);
         });
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
    {"limit_simplification", limit_simplification},
    {"limit_below_left_join", limit_below_left_join},
    {"limited_constant", limited_constant},
    {"limit_in_union", limit_in_union},
    {"rank_to_extreme", rank_to_extreme},
    {"top_row_to_extreme", top_row_to_extreme},
    {"function_spelling", window_function_spelling},
    {"distinct_removal", distinct_removal},
    {"distinct_to_semi_join", distinct_to_semi_join},
    {"derived_table_inlining", derived_table_inlining},
};

}  // namespace

std::span<const Law> laws_of_orders() { return order_laws; }

}  // namespace trustsql::equiv::checker
