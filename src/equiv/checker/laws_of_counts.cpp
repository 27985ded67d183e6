// Counts that are compared only to learn whether there are rows, and existence tests of one another.
#include <algorithm>
#include <optional>
#include <vector>

#include "equiv/checker/agreement.hpp"
#include "equiv/checker/aggregates.hpp"
#include "equiv/checker/form.hpp"
#include "equiv/checker/laws.hpp"
#include "equiv/checker/products.hpp"
#include "plan/walk.hpp"

namespace trustsql::equiv::checker {

using namespace plan;

namespace {

bool is_count_call(const AggregateCall* call) {
  return call != nullptr && call->name == "count" && call->info != nullptr && call->arguments.size() <= 1;
}

// Whether the comparison with `counts` in the place of its operands `ids` is true or false as `expected` says.
bool compares_counts(const Expr& comparison, const std::vector<AttributeId>& ids,
                     const std::vector<std::int64_t>& counts, bool expected, const Given& given) {
  std::vector<Expr> values;
  for (const auto count : counts) values.push_back(literal(count));
  Expr expr = comparison;
  substitute(expr, [&](AttributeId id) -> const Expr* {
    const auto place = std::find(ids.begin(), ids.end(), id);
    return place != ids.end() ? &values[static_cast<std::size_t>(place - ids.begin())] : nullptr;
  });
  return agree(expr, literal(std::int64_t{expected ? 1 : 0}), false, {}, given);
}

// Whether `exists` asks for rows of `input` with these conditions, which may be a copy with other attributes.
bool asks_for_rows(const Exists& exists, const Rel& input, const std::vector<Expr>& conditions, const Given& given) {
  const Rel* rows = &input;
  while (rows->is<Filter>()) rows = &unfiltered(*rows);
  const Rel* copied = exists.rel.get();
  while (copied->is<Filter>()) copied = &unfiltered(*copied);
  const auto renaming = renaming_of_copy(*rows, *copied);
  if (!renaming || is_volatile(input)) return false;
  Rel expected{Filter{input, conditions}};
  rename(expected, *renaming);
  return same_existence(expected, {}, *exists.rel, {}, given);
}

// Whether `exists` asks what `comparison` says of the columns of `aggregate`, which has no groups.
bool asks_the_same(const Expr& comparison, const Aggregate& aggregate, const Exists& exists, const Given& given) {
  const auto* compare = comparison.as<Compare>();
  if (compare == nullptr || aggregate.grouped) return false;
  const auto* left = column_id(*compare->left);
  const auto* right = column_id(*compare->right);
  if (left != nullptr && right != nullptr) {
    const auto* all = call_of(aggregate, *left);
    const auto* some = call_of(aggregate, *right);
    if (!is_count_call(all) || !is_count_call(some)) return false;
    if (!all->arguments.empty()) std::swap(all, some);
    if (!all->arguments.empty() || some->arguments.size() != 1 || all->filter || some->filter || some->distinct)
      return false;
    const auto holds = [&](std::int64_t of_all, std::int64_t of_some) {
      const bool expected = (of_some < of_all) != exists.negated;
      return compares_counts(comparison, {all->id, some->id}, {of_all, of_some}, expected, given);
    };
    return holds(0, 0) && holds(1, 0) && holds(1, 1) && holds(2, 1) && holds(7, 7) && holds(7, 0) && holds(7, 6) &&
           asks_for_rows(exists, *aggregate.input, {is_null(some->arguments.front())}, given);
  }
  const auto* id = left != nullptr ? left : right;
  const auto* call = id != nullptr ? call_of(aggregate, *id) : nullptr;
  if (!is_count_call(call)) return false;
  for (const std::int64_t count : {std::int64_t{0}, std::int64_t{1}, std::int64_t{2}, std::int64_t{3}, INT64_MAX}) {
    if (!compares_counts(comparison, {*id}, {count}, (count > 0) != exists.negated, given)) return false;
  }
  std::vector<Expr> conditions;
  if (call->filter) conditions.push_back(*call->filter);
  for (const auto& argument : call->arguments) conditions.push_back(is_null(argument, true));
  return asks_for_rows(exists, *aggregate.input, conditions, given);
}

// The aggregate below `rel` that computes `id`, the value of which is the same in all rows of `rel`.
const Aggregate* computed_by(const Rel& rel, AttributeId id) {
  if (const auto* aggregate = rel.as<Aggregate>()) return call_of(*aggregate, id) != nullptr ? aggregate : nullptr;
  if (const auto* filter = rel.as<Filter>()) return computed_by(*filter->input, id);
  const auto* join = rel.as<Join>();
  if (join == nullptr || join->type == JoinType::right || join->type == JoinType::full) return nullptr;
  const auto* of_left = computed_by(*join->left, id);
  return of_left == nullptr && join->type == JoinType::inner ? computed_by(*join->right, id) : of_left;
}

bool joined_count_to_exists(const Change& c) {
  Rel unchanged = c.after;
  std::vector<const Expr*> expressions;
  for_each_expr(c.before, [&](const Expr& expr) { expressions.push_back(&expr); });
  std::size_t next = 0;
  for_each_expr(unchanged, [&](Expr& expr) {
    if (next < expressions.size()) expr = *expressions[next];
    ++next;
  });
  // Only the expressions differ.
  if (next != expressions.size() || !(unchanged == c.before)) return false;
  const auto* join = c.before.as<Join>();
  if (!c.before.is<Filter>() && !c.before.is<Project>() && (join == nullptr || join->type != JoinType::inner))
    return false;
  return same_expressions(c.before, c.after, [&](const Expr& a, const Expr& b) -> std::optional<bool> {
    const auto* exists = b.as<Exists>();
    if (exists == nullptr || !a.is<Compare>()) return std::nullopt;
    bool same = false;
    references(a).for_each([&](AttributeId id) {
      for_each_rel(c.before, [&](const Rel& input) {
        const auto* aggregate = computed_by(input, id);
        same = same || (aggregate != nullptr && asks_the_same(a, *aggregate, *exists, c.given));
      });
    });
    return same;
  });
}

constexpr Law count_laws[] = {
    {"count_to_exists", joined_count_to_exists},
};

}  // namespace

bool is_same_count_test(const Expr& before, const Expr& after, const Given& given) {
  const auto* compare = before.as<Compare>();
  const auto* exists = after.as<Exists>();
  if (compare == nullptr || exists == nullptr) return false;
  for (const bool left : {true, false}) {
    const auto* subquery = (left ? compare->left : compare->right)->as<ScalarSubquery>();
    if (subquery == nullptr) continue;
    const auto ids = outputs(*subquery->rel);
    const auto* aggregate = below_renamings(*subquery->rel).as<Aggregate>();
    if (aggregate == nullptr || ids.size() != 1) return false;
    Compare of_column = *compare;
    (left ? of_column.left : of_column.right) = column(ids.front());
    return asks_the_same(Expr{std::move(of_column)}, *aggregate, *exists, given);
  }
  return false;
}

std::span<const Law> laws_of_counts() { return count_laws; }

}  // namespace trustsql::equiv::checker
