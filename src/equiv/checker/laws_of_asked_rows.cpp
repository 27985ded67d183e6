// Conditions on groups that ask whether a group has certain rows.
#include <algorithm>
#include <limits>

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

// Whether the comparison is true if the columns have these integers.
bool is_true_of(const Expr& comparison, const std::vector<std::pair<AttributeId, std::int64_t>>& values,
                const Given& given) {
  Evaluator evaluator(given.attributes);
  evaluator.enter_world(0);
  for (const auto& [id, value] : values) evaluator.assign(id, ValueView::of_integer(value));
  return evaluator.truth(comparison) == Truth::yes;
}

// Whether `value` can only be 0, 1 or NULL.
bool is_truth_value(const Expr& value, const AttributeSet& non_null, const Given& given) {
  Case choice;
  choice.branches.push_back({is_null(value), literal({}), {}});
  choice.branches.push_back({compare(CompareOp::equal, value, literal(std::int64_t{1})), literal(std::int64_t{1}), {}});
  choice.otherwise = literal(std::int64_t{0});
  return agree(value, Expr{std::move(choice)}, false, non_null, given);
}

// Whether with a value that satisfies `condition`, a comparison of `id`, all greater ones (`up`), or all smaller ones,
// satisfy it. The values are those of `value`, in the order of `collation`.
bool is_closed(const Expr& condition, AttributeId id, bool up, const Expr& value, std::string_view collation,
               const AttributeSet& non_null, const Given& given) {
  const auto& comparison = *condition.as<Compare>();
  const auto* left = column_id(*comparison.left);
  const auto* bound = literal_value(*comparison.right);
  if (left == nullptr || *left != id || bound == nullptr || view(*bound).is_null()) return false;
  const bool greater = comparison.op == CompareOp::greater || comparison.op == CompareOp::greater_equal;
  const bool less = comparison.op == CompareOp::less || comparison.op == CompareOp::less_equal;
  if ((up ? greater : less) && comparison.how.collation == collation &&
      !may_convert(value, comparison.how.affinity, given.attributes))
    return true;
  const bool of_zero = is_true_of(condition, {{id, 0}}, given);
  const bool of_one = is_true_of(condition, {{id, 1}}, given);
  return (up ? !of_zero || of_one : !of_one || of_zero) && is_truth_value(value, non_null, given);
}

// Whether `condition`, a comparison of the sum `id` of values that can only be 0, 1 or NULL, is true if one of them is
// 1, and not otherwise.
bool asks_for_summand(const Expr& condition, AttributeId id, const Expr& value, const AttributeSet& non_null,
                      const Given& given) {
  const auto& comparison = *condition.as<Compare>();
  if (!(*comparison.left == column(id)) || !comparison.right->is<Literal>() ||
      comparison.how.affinity == Affinity::text || is_true_of(condition, {{id, 0}}, given) ||
      !is_truth_value(value, non_null, given))
    return false;
  for (const std::int64_t sum : {std::int64_t{1}, std::int64_t{2}, std::numeric_limits<std::int64_t>::max()}) {
    if (!is_true_of(condition, {{id, sum}}, given)) return false;
  }
  return true;
}

// HAVING max(x) > c as a count of the rows with x > c.
bool extreme_to_count(const Change& c) {
  const auto* filter = c.before.as<Filter>();
  const auto* filter_after = c.after.as<Filter>();
  const auto* before = filter != nullptr ? filter->input->as<Aggregate>() : nullptr;
  const auto* after = filter_after != nullptr ? filter_after->input->as<Aggregate>() : nullptr;
  if (before == nullptr || after == nullptr || !before->grouped || !after->grouped || !(before->keys == after->keys) ||
      !(*before->input == *after->input) || before->has_bare_columns() || before->calls.size() != after->calls.size() ||
      filter->conjuncts.size() != filter_after->conjuncts.size() || c.demand.places)
    return false;
  const auto call = std::mismatch(before->calls.begin(), before->calls.end(), after->calls.begin());
  const auto test = std::mismatch(filter->conjuncts.begin(), filter->conjuncts.end(), filter_after->conjuncts.begin());
  if (call.first == before->calls.end() || test.first == filter->conjuncts.end() ||
      !std::equal(call.first + 1, before->calls.end(), call.second + 1) ||
      !std::equal(test.first + 1, filter->conjuncts.end(), test.second + 1))
    return false;
  const auto& extreme = *call.first;
  const auto& count = *call.second;
  const bool greatest = extreme.name == "max";
  const bool is_sum = extreme.name == "sum" && !extreme.distinct;
  if ((!greatest && extreme.name != "min" && !is_sum) || extreme.info == nullptr || extreme.arguments.size() != 1 ||
      count.name != "count" || count.info == nullptr || count.distinct || !count.arguments.empty() || !count.filter ||
      c.demand.needed.contains(extreme.id))
    return false;
  for (const auto& other : filter->conjuncts) {
    if (&other != &*test.first && references(other).contains(extreme.id)) return false;
  }
  const auto zero = literal(std::int64_t{0});
  const bool some = *test.second == compare(CompareOp::greater, column(count.id), zero);
  if (!some && !(*test.second == compare(CompareOp::equal, column(count.id), zero))) return false;
  const auto& value = extreme.arguments.front();
  const auto non_null = knowledge_of(*before->input, c.given).non_null;
  const auto used = references(*test.first).to_vector();
  if (!test.first->is<Compare>() || used.size() != 1 || used.front() != extreme.id || !is_fixed(*test.first) ||
      !is_fixed(value))
    return false;
  if (is_sum ? !some || !asks_for_summand(*test.first, extreme.id, value, non_null, c.given)
             : !is_closed(*test.first, extreme.id, greatest == some, value, extreme.collation, non_null, c.given))
    return false;
  // Of which rows it must be true.
  Expr of_row = *test.first;
  substitute(of_row, [&](AttributeId id) { return id == extreme.id ? &value : nullptr; });
  if (!some) {
    if (extreme.filter || c.given.may_be_null(value, non_null)) return false;
    return agree(*count.filter, Expr{IsTruth{std::move(of_row), true, true}}, true, non_null, c.given);
  }
  std::vector<Expr> conditions;
  if (extreme.filter) conditions.push_back(*extreme.filter);
  conditions.push_back(std::move(of_row));
  return agree(*count.filter, conjunction(std::move(conditions)), true, non_null, c.given);
}

bool counts_all(const AggregateCall& call) {
  return call.name == "count" && call.info != nullptr && !call.filter && call.arguments.empty();
}
bool counts_some(const AggregateCall& call) {
  return call.name == "count" && call.info != nullptr && (call.filter || !call.arguments.empty()) &&
         call.arguments.size() <= 1;
}

// The conditions on the rows that `condition`, a comparison of counts, asks for (`some`) or excludes; nullopt if it
// says something else.
std::optional<std::vector<Expr>> asked_rows(const Expr& condition, const Aggregate& aggregate, bool some,
                                            const Given& given) {
  const auto* comparison = condition.as<Compare>();
  if (comparison == nullptr) return std::nullopt;
  const auto* left = column_id(*comparison->left);
  const auto* right = column_id(*comparison->right);
  std::vector<Expr> rows;
  if (left != nullptr && right != nullptr) {
    const auto* counted = call_of(aggregate, *left);
    const auto* all = call_of(aggregate, *right);
    if (counted == nullptr || all == nullptr) return std::nullopt;
    if (counts_all(*counted)) std::swap(counted, all);
    if (!counts_some(*counted) || counted->distinct || !counts_all(*all)) return std::nullopt;
    for (const auto& [n, m] : {std::pair{0, 1}, {1, 1}, {0, 2}, {1, 2}, {2, 2}, {3, 7}, {7, 7}}) {
      if (is_true_of(condition, {{counted->id, n}, {all->id, m}}, given) != ((n < m) == some)) return std::nullopt;
    }
    std::vector<Expr> either;
    if (counted->filter) either.emplace_back(IsTruth{*counted->filter, true, true});
    for (const auto& argument : counted->arguments) either.push_back(is_null(argument));
    rows.push_back(disjunction(std::move(either)));
    return rows;
  }
  const auto* id = left != nullptr ? left : right;
  const auto* call = id != nullptr ? call_of(aggregate, *id) : nullptr;
  if (call == nullptr || !counts_some(*call) ||
      !(left != nullptr ? *comparison->right : *comparison->left).is<Literal>())
    return std::nullopt;
  for (const std::int64_t n :
       {std::int64_t{0}, std::int64_t{1}, std::int64_t{2}, std::numeric_limits<std::int64_t>::max()}) {
    if (is_true_of(condition, {{call->id, n}}, given) != ((n > 0) == some)) return std::nullopt;
  }
  if (call->filter) rows.push_back(*call->filter);
  for (const auto& argument : call->arguments) rows.push_back(is_null(argument, true));
  return rows;
}

// HAVING count(*) FILTER (WHERE p) = 0 as an anti-join of the groups with the rows of their own of which p is true.
bool counted_rows_to_semi_join(const Change& c) {
  const auto* filter = c.before.as<Filter>();
  const auto* aggregate = filter != nullptr ? filter->input->as<Aggregate>() : nullptr;
  const auto* join = c.after.as<Join>();
  if (aggregate == nullptr || join == nullptr || (join->type != JoinType::semi && join->type != JoinType::anti) ||
      !(unfiltered(*join->left) == *filter->input) || !aggregate->grouped || aggregate->has_bare_columns() ||
      is_volatile(c.before) || join->on.size() != aggregate->keys.size() || aggregate->keys.empty())
    return false;
  const auto removed = difference(filter->conjuncts, conditions_of(*join->left));
  const auto* partners = join->right->as<Filter>();
  if (!removed || removed->size() != 1 || partners == nullptr) return false;
  auto rows = asked_rows(removed->front(), *aggregate, join->type == JoinType::semi, c.given);
  const auto renaming = renaming_of_copy(*aggregate->input, *partners->input);
  if (!rows || !renaming || !std::all_of(rows->begin(), rows->end(), is_fixed)) return false;
  Rel copy = *aggregate->input;
  rename(copy, *renaming);
  for (auto& condition : *rows) rename(condition, *renaming);
  if (!(copy == *partners->input) || !(*rows == partners->conjuncts)) return false;
  for (std::size_t i = 0; i < aggregate->keys.size(); ++i) {
    const auto& key = aggregate->keys[i];
    Expr partner = key.expr;
    rename(partner, *renaming);
    if (!key.expr.is<plan::Column>() || key.collation != binary_collation ||
        !has_one_spelling(key.expr, c.given.attributes) ||
        !(join->on[i] == compare(CompareOp::is, column(key.id), std::move(partner))))
      return false;
  }
  return true;
}

// count(DISTINCT r) over a join as a count over a semi-join.
bool counted_join_to_semi_join(const Change& c) {
  const auto* before = c.before.as<Aggregate>();
  const auto* after = c.after.as<Aggregate>();
  const auto* semi = after != nullptr ? after->input->as<Join>() : nullptr;
  if (before == nullptr || semi == nullptr || semi->type != JoinType::semi || before->grouped != after->grouped ||
      !(before->keys == after->keys) || before->calls.size() != after->calls.size() || is_volatile(c.before))
    return false;
  const auto inside = output_set(*before->input);
  const auto rows = output_set(*semi->left);
  const Rel joined{Join{JoinType::inner, semi->left, semi->right, semi->on}};
  if (!same_rows(*before->input, joined, inside.to_vector(), false, c.given)) return false;
  const auto uses_rows = [&](const Expr& expr) {
    return is_fixed(expr) && (references(expr) & inside).is_subset_of(rows);
  };
  for (const auto& key : before->keys) {
    if (!uses_rows(key.expr)) return false;
  }
  const auto of_rows = knowledge_of(*semi->left, c.given);
  for (std::size_t i = 0; i < before->calls.size(); ++i) {
    auto call = before->calls[i];
    const auto& call_after = after->calls[i];
    if (call.info == nullptr || call.arguments.size() != 1 || call_after.arguments.size() != 1 || call.filter ||
        !uses_rows(call_after.arguments.front()))
      return false;
    if (call.name == "count") {
      const auto* id = column_id(call.arguments.front());
      const auto* id_after = column_id(call_after.arguments.front());
      if (!call.distinct || call.collation != binary_collation || id == nullptr || id_after == nullptr ||
          !of_rows.is_key({*id_after}))
        return false;
      if (*id != *id_after) {
        std::vector<const Rel*> leaves;
        std::vector<Expr> conditions;
        split_product(*before->input, leaves, conditions);
        const bool equated = std::any_of(conditions.begin(), conditions.end(), [&](const Expr& condition) {
          const auto* equation = condition.as<Compare>();
          return equation != nullptr && equation->op == CompareOp::equal &&
                 compares_plainly(*equation, c.given.attributes) &&
                 has_one_spelling(*equation->left, *equation->right, c.given.attributes) &&
                 ((*equation->left == column(*id) && *equation->right == column(*id_after)) ||
                  (*equation->right == column(*id) && *equation->left == column(*id_after)));
        });
        if (!equated) return false;
        call.arguments.front() = column(*id_after);
      }
      call.distinct = false;
    } else if (call.name != "min" && call.name != "max") {
      return false;
    }
    if (!(call == call_after)) return false;
  }
  return true;
}

// The rows of a table that have children are as many as the values of the foreign key that leads there.
bool count_of_parents(const Change& c) {
  const auto* before = c.before.as<Aggregate>();
  const auto* after = c.after.as<Aggregate>();
  const auto* join = before != nullptr ? before->input->as<Join>() : nullptr;
  if (join == nullptr || after == nullptr || join->type != JoinType::semi || before->grouped || after->grouped ||
      !(*after->input == *join->right) || is_volatile(*join->right))
    return false;
  const auto* parent = join->left->as<Scan>();
  const auto of_parent = output_set(*join->left);
  const auto pairs = pairs_of(join->on, of_parent, c.given);
  if (parent == nullptr || parent->table == nullptr || !pairs || pairs->size() != 1 || join->on.size() != 1 ||
      free_attributes(*join->right).intersects(of_parent) || !is_foreign_key(*pairs, *join->right, *parent, c.given))
    return false;
  // Each child has one parent.
  auto known = knowledge_of(*join->left, c.given);
  learn(known, join->on, c.given);
  if (!known.is_key({pairs->front().second})) return false;
  return std::equal(before->calls.begin(), before->calls.end(), after->calls.begin(), after->calls.end(),
                    [&](const AggregateCall& rows, const AggregateCall& values) {
                      return rows.id == values.id && rows.name == "count" && values.name == "count" &&
                             rows.arguments.empty() && !rows.filter && !values.filter && !rows.distinct &&
                             values.distinct && values.collation == "BINARY" && values.order_by.empty() &&
                             values.arguments == std::vector<Expr>{column(pairs->front().first)};
                    });
}

constexpr Law asked_row_laws[] = {
    {"counted_join_to_semi_join", counted_join_to_semi_join},
    {"count_of_parents", count_of_parents},
    {"extreme_to_count", extreme_to_count},
    {"counted_rows_to_semi_join", counted_rows_to_semi_join},
};

}  // namespace

std::span<const Law> laws_of_asked_rows() { return asked_row_laws; }

}  // namespace trustsql::equiv::checker
