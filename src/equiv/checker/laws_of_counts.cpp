// Counts that are compared only to learn whether there are rows, and existence tests of one another.
#include <algorithm>
#include <optional>
#include <vector>

#include "equiv/checker/aggregates.hpp"
#include "equiv/checker/agreement.hpp"
#include "equiv/checker/evaluator.hpp"
#include "equiv/checker/form.hpp"
#include "equiv/checker/laws.hpp"
#include "equiv/checker/products.hpp"
#include "equiv/checker/uses.hpp"
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
  values.reserve(counts.size());
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

// NOT IN with NULLs on either side, as conditions of their own.
bool nullable_anti_join(const Change& c) {
  const auto* before = c.before.as<Join>();
  if (before == nullptr || before->type != JoinType::anti || is_volatile(*before->right)) return false;
  const auto inside = output_set(*before->right);
  for (std::size_t place = 0; place < before->on.size(); ++place) {
    const auto* test = before->on[place].as<IsTruth>();
    const auto* compared = test != nullptr && !test->truth && test->negated ? test->operand->as<Compare>() : nullptr;
    if (compared == nullptr || compared->op == CompareOp::is || compared->op == CompareOp::is_not) continue;
    const bool left_is_inner = references(*compared->left).intersects(inside);
    const Expr& inner = left_is_inner ? *compared->left : *compared->right;
    const Expr& outer = left_is_inner ? *compared->right : *compared->left;
    if (references(outer).intersects(inside) || references(inner).intersects(output_set(*before->left)) ||
        !std::all_of(before->on.begin(), before->on.end(), is_fixed))
      continue;
    auto others = before->on;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(place));
    const Rel* rest = &c.after;
    if (const auto* filter = rest->as<Filter>()) {
      const auto* choice = filter->conjuncts.size() == 1 ? filter->conjuncts.front().as<Or>() : nullptr;
      const auto* exists = choice != nullptr && choice->terms.size() == 2 ? choice->terms.back().as<Exists>() : nullptr;
      if (exists == nullptr || !exists->negated || !(choice->terms.front() == is_null(outer, true)) ||
          !asks_for_rows(*exists, *before->right, others, c.given))
        return false;
      rest = filter->input.get();
    } else if (c.given.may_be_null(outer, knowledge_of(*before->left, c.given).non_null)) {
      return false;
    }
    Join expected = *before;
    expected.on[place] = Expr{*compared};
    if (*rest == Rel{expected}) return !c.given.may_be_null(inner, knowledge_of(*before->right, c.given).non_null);
    const auto* second = rest->as<Join>();
    if (second == nullptr || second->type != JoinType::anti || !(*second->left == Rel{std::move(expected)}))
      return false;
    const auto renaming = renaming_of_copy(*before->right, *second->right);
    if (!renaming) return false;
    others.push_back(is_null(inner));
    Join of_nulls{JoinType::anti, second->left, before->right, std::move(others)};
    rename(*of_nulls.right, *renaming);
    for (auto& condition : of_nulls.on) rename(condition, *renaming);
    return of_nulls == *second;
  }
  return false;
}

// Whether a row of `narrow` shows that `wide` has one: the same tables, under more conditions.
bool shows_row(const Rel& narrow, const Rel& wide) {
  const auto split = [](const Rel& rel, std::vector<const Rel*>& leaves, std::vector<Expr>& conditions) {
    const Rel* rows = &rel;
    while (const auto* project = rows->as<Project>()) rows = project->input.get();
    split_product(*rows, leaves, conditions);
  };
  if (is_volatile(narrow) || is_volatile(wide)) return false;
  std::vector<const Rel*> of_narrow;
  std::vector<const Rel*> of_wide;
  std::vector<Expr> known;
  std::vector<Expr> asked;
  split(narrow, of_narrow, known);
  split(wide, of_wide, asked);
  if (of_narrow.size() != of_wide.size()) return false;
  Renaming same;
  for (std::size_t i = 0; i < of_wide.size(); ++i) {
    const auto* scan = of_narrow[i]->as<Scan>();
    const auto* copied = of_wide[i]->as<Scan>();
    if (scan == nullptr || copied == nullptr || scan->table == nullptr || scan->table != copied->table) return false;
    for (const auto& each : copied->columns) {
      if (const auto* column = column_at(*scan, each.position)) same[each.id] = column->id;
    }
  }
  for (auto& condition : asked) rename(condition, same);
  return std::all_of(asked.begin(), asked.end(), [&](const Expr& condition) {
    return std::find(known.begin(), known.end(), condition) != known.end();
  });
}

// Adds the different relations whose existence `expr` tests.
void add_tested(const Expr& expr, std::vector<const Rel*>& tested) {
  if (const auto* exists = expr.as<Exists>()) {
    const bool known =
        std::any_of(tested.begin(), tested.end(), [&](const Rel* other) { return *other == *exists->rel; });
    if (!known) tested.push_back(exists->rel.get());
    return;
  }
  for_each_expr(expr, [&](const Expr& part) { add_tested(part, tested); });
}

// `expr`, where those of the `tested` relations have rows whose bit is set.
Expr with_tests_decided(Expr expr, const std::vector<const Rel*>& tested, std::uint32_t with_rows) {
  if (const auto* exists = expr.as<Exists>()) {
    const auto place =
        std::find_if(tested.begin(), tested.end(), [&](const Rel* other) { return *other == *exists->rel; });
    const bool has_rows = (with_rows >> (place - tested.begin()) & 1U) != 0;
    return literal(std::int64_t{has_rows != exists->negated ? 1 : 0});
  }
  for_each_expr(expr, [&](Expr& part) { part = with_tests_decided(std::move(part), tested, with_rows); });
  return expr;
}

// A row of a group has a partner that differs in a column without repetitions if the group has two rows.
bool pairs_to_count(const Change& c) {
  const auto* distinct = c.before.as<Distinct>();
  const auto* asked = distinct != nullptr ? distinct->input->as<Project>() : nullptr;
  const auto* join = asked != nullptr ? asked->input->as<Join>() : nullptr;
  const auto* given_now = c.after.as<Project>();
  const auto* groups = given_now != nullptr ? unfiltered(*given_now->input).as<Aggregate>() : nullptr;
  if (join == nullptr || groups == nullptr || !distinct->collations.empty() ||
      (join->type != JoinType::inner && join->type != JoinType::semi) || !groups->grouped || groups->calls.size() != 1)
    return false;
  const auto* rows = join->left->as<Scan>();
  const auto* partners = join->right->as<Scan>();
  if (rows == nullptr || partners == nullptr || rows->table == nullptr || rows->table != partners->table) return false;
  // The conditions of the join: columns that agree, and one that differs.
  const auto inside = output_set(*join->right);
  Renaming to_rows;
  AttributeSet agreeing;
  std::optional<AttributeId> differing;
  for (const auto& condition : join->on) {
    const auto* compare = condition.as<Compare>();
    if (compare == nullptr || !compares_plainly(*compare, c.given.attributes)) return false;
    const auto* left = column_id(*compare->left);
    const auto* right = column_id(*compare->right);
    if (left == nullptr || right == nullptr) return false;
    const bool mirrored = inside.contains(*left);
    const auto* own = column_of(*rows, mirrored ? *right : *left);
    const auto* theirs = column_of(*partners, mirrored ? *left : *right);
    if (own == nullptr || theirs == nullptr || own->position != theirs->position) return false;
    if (compare->op == CompareOp::equal && has_one_spelling(column(own->id), c.given.attributes)) {
      agreeing.add(own->id);
      to_rows[theirs->id] = own->id;
    } else if (!differing && (compare->op == CompareOp::less || compare->op == CompareOp::greater ||
                              compare->op == CompareOp::not_equal)) {
      differing = own->id;
    } else {
      return false;
    }
  }
  if (!differing || agreeing.empty()) return false;
  // The groups are those of all rows in which nothing that must agree is NULL.
  std::vector<Expr> filled;
  const auto of_table = knowledge_of(*join->left, c.given);
  agreeing.for_each([&](AttributeId id) {
    if (!of_table.non_null.contains(id)) filled.push_back(is_null(column(id), true));
  });
  const Rel filtered = filled.empty() ? *join->left : Rel{Filter{*join->left, filled}};
  if (!(unfiltered(*groups->input) == *join->left) ||
      !same_rows(filtered, *groups->input, outputs(*join->left), false, c.given))
    return false;
  const auto known = knowledge_of(filtered, c.given);
  auto unique = agreeing;
  unique.add(*differing);
  if (!known.non_null.contains(*differing) || !known.is_key(unique)) return false;
  AttributeSet keys;
  for (const auto& key : groups->keys) {
    if (key.collation != "BINARY" || !(key.expr == column(key.id))) return false;
    keys.add(key.id);
  }
  const auto& count = groups->calls.front();
  const auto& enough = conditions_of(*given_now->input);
  if (!(keys == agreeing) || count.name != "count" || !count.arguments.empty() || count.filter || count.distinct ||
      enough.size() != 1 || !(references(enough.front()) == AttributeSet{count.id}))
    return false;
  // A comparison of a number with a constant that is false for 1 and true for these is true for all greater numbers.
  const auto* bound = enough.front().as<Compare>();
  if (bound == nullptr || !(bound->left->is<Literal>() || bound->right->is<Literal>())) return false;
  for (const std::int64_t number : {1, 2, 3, 1000}) {
    if (!compares_counts(enough.front(), {count.id}, {number}, number >= 2, c.given)) return false;
  }
  // Both show the same columns, and all that agree.
  AttributeSet shown;
  if (asked->items.size() != given_now->items.size()) return false;
  for (std::size_t i = 0; i < asked->items.size(); ++i) {
    Expr expected = asked->items[i].expr;
    rename(expected, to_rows);
    const auto* id = column_id(expected);
    if (id == nullptr || !agreeing.contains(*id) || asked->items[i].id != given_now->items[i].id ||
        !(given_now->items[i].expr == expected))
      return false;
    shown.add(*id);
  }
  return shown == agreeing;
}

constexpr Law count_laws[] = {
    {"count_to_exists", joined_count_to_exists},
    {"nullable_anti_join", nullable_anti_join},
    {"pairs_to_count", pairs_to_count},
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

bool is_same_absence(const Expr& before, const Expr& after, bool truth_only, const Given& given) {
  constexpr std::size_t most_tests = 8;
  std::vector<const Rel*> tested;
  add_tested(before, tested);
  add_tested(after, tested);
  if (tested.size() > most_tests || is_volatile(before)) return false;
  // Try each choice of the relations that have rows, if no relation without rows would have to have one.
  for (std::uint32_t with_rows = 0; with_rows < (1U << tested.size()); ++with_rows) {
    bool possible = true;
    for (std::size_t i = 0; i < tested.size(); ++i) {
      for (std::size_t k = 0; k < tested.size() && possible; ++k) {
        if ((with_rows >> i & 1U) != 0 && (with_rows >> k & 1U) == 0) possible = !shows_row(*tested[i], *tested[k]);
      }
    }
    if (possible && !agree(with_tests_decided(before, tested, with_rows), with_tests_decided(after, tested, with_rows),
                           truth_only, {}, given))
      return false;
  }
  return true;
}

std::span<const Law> laws_of_counts() { return count_laws; }

}  // namespace trustsql::equiv::checker
