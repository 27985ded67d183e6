// Limits.
#include <algorithm>
#include <limits>
#include <optional>

#include "equiv/checker/aggregates.hpp"
#include "equiv/checker/evaluator.hpp"
#include "equiv/checker/laws.hpp"
#include "equiv/checker/products.hpp"
#include "plan/walk.hpp"

namespace trustsql::equiv::checker {

using namespace plan;

namespace {

const std::int64_t* integer_in(const Box<Expr>& expr) { return expr ? literal_as<std::int64_t>(*expr) : nullptr; }

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

// The second of the values in an order is the first of those that another value comes before.
bool second_value_to_extreme(const Change& c) {
  const auto* limit = c.before.as<Limit>();
  const auto* count = limit != nullptr ? integer_in(limit->count) : nullptr;
  const auto* skipped = limit != nullptr ? integer_in(limit->offset) : nullptr;
  if (count == nullptr || skipped == nullptr || *count != 1 || *skipped != 1) return false;
  const auto* project = limit->input->as<Project>();
  const auto* sort = (project != nullptr ? *project->input : *limit->input).as<Sort>();
  const auto* distinct = sort != nullptr ? sort->input->as<Distinct>() : nullptr;
  const auto* after = c.after.as<Project>();
  const auto* aggregate = after != nullptr ? after->input->as<Aggregate>() : nullptr;
  const auto* join = aggregate != nullptr ? aggregate->input->as<Join>() : nullptr;
  if (distinct == nullptr || !distinct->collations.empty() || sort->keys.empty() || join == nullptr ||
      join->type != JoinType::semi || join->on.size() != 1 || !aggregate->grouped || !aggregate->keys.empty() ||
      aggregate->calls.size() != 1)
    return false;
  const Rel& rows = *distinct->input;
  const auto ids_of_rows = outputs(rows);
  const auto& key = sort->keys.front();
  if (is_volatile(rows) || ids_of_rows.size() != 1 || !(key.expr == column(ids_of_rows.front())) ||
      key.collation != binary_collation || !has_one_spelling(key.expr, c.given.attributes) ||
      !knowledge_of(rows, c.given).non_null.contains(ids_of_rows.front()))
    return false;
  // Both sides of the join are copies.
  std::vector<Expr> values;
  for (const Rel* side : {&*join->left, &*join->right}) {
    const auto renaming = renaming_of_copy(rows, *side);
    if (!renaming) return false;
    Rel copy = rows;
    rename(copy, *renaming);
    if (!(copy == *side)) return false;
    values.push_back(key.expr);
    rename(values.back(), *renaming);
  }
  const auto* behind = join->on.front().as<Compare>();
  const auto& call = aggregate->calls.front();
  if (behind == nullptr || !(behind->how == Comparison{}) ||
      behind->op != (key.descending ? CompareOp::less : CompareOp::greater) || !(*behind->left == values.front()) ||
      !(*behind->right == values.back()) || call.name != (key.descending ? "max" : "min") || call.info == nullptr ||
      call.distinct || call.filter || call.collation != binary_collation ||
      !(call.arguments == std::vector<Expr>{values.front()}))
    return false;
  const Expr extreme = column(call.id);
  const auto ids = outputs(c.before);
  if (ids != outputs(c.after)) return false;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    Expr expected = project != nullptr ? project->items[i].expr : column(ids[i]);
    if (!references(expected).is_subset_of(AttributeSet{ids_of_rows.front()}) || !is_fixed(expected)) return false;
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

// The first row in the order of a key.
bool top_row_by_key(const Change& c) {
  const auto* limit = c.before.as<Limit>();
  const auto* count = limit != nullptr ? integer_in(limit->count) : nullptr;
  if (count == nullptr || *count != 1 || limit->offset || is_volatile(c.before)) return false;
  const auto* project = limit->input->as<Project>();
  const auto* sort = (project != nullptr ? *project->input : *limit->input).as<Sort>();
  const auto* after = c.after.as<Project>();
  const auto* join = after != nullptr ? after->input->as<Join>() : nullptr;
  const auto* extreme = join != nullptr ? join->right->as<Aggregate>() : nullptr;
  if (sort == nullptr || sort->keys.size() != 1 || extreme == nullptr || join->type != JoinType::inner ||
      extreme->grouped || extreme->calls.size() != 1 || !(*join->left == *sort->input) ||
      !free_attributes(*sort->input).empty() || outputs(c.before) != outputs(c.after))
    return false;
  const auto& key = sort->keys.front();
  const auto& call = extreme->calls.front();
  const auto* id = column_id(key.expr);
  const auto known = knowledge_of(*sort->input, c.given);
  if (id == nullptr || !known.columns.contains(*id) || !known.non_null.contains(*id) || !known.is_key({*id}) ||
      key.collation != binary_collation || call.collation != binary_collation || call.distinct || call.filter ||
      call.arguments.size() != 1 || call.name != (key.descending ? "max" : "min") || call.info == nullptr)
    return false;
  const auto renaming = renaming_of_copy(*sort->input, *extreme->input);
  if (!renaming) return false;
  Rel copy = *sort->input;
  rename(copy, *renaming);
  Expr value = column(*id);
  rename(value, *renaming);
  if (!(copy == *extreme->input) || !(call.arguments.front() == value) ||
      !(join->on == std::vector<Expr>{compare(CompareOp::equal, column(*id), column(call.id))}))
    return false;
  if (project != nullptr) return project->items == after->items;
  return std::all_of(after->items.begin(), after->items.end(),
                     [](const ProjectItem& item) { return item.is_pass_through(); });
}

constexpr Law limit_laws[] = {
    {"limit_simplification", limit_simplification},
    {"limit_below_left_join", limit_below_left_join},
    {"limited_constant", limited_constant},
    {"limit_in_union", limit_in_union},
    {"top_row_by_key", top_row_by_key},
    {"top_row_to_extreme", top_row_to_extreme},
    {"second_value_to_extreme", second_value_to_extreme},
};

}  // namespace

std::span<const Law> laws_of_limits() { return limit_laws; }

}  // namespace trustsql::equiv::checker
