#include "plan/rules/counted_rows_to_semi_join.hpp"

#include <algorithm>

#include "plan/rules/cluster.hpp"
#include "plan/rules/common.hpp"

namespace trustsql::plan::rules {

namespace {

// The rows of a group that a condition asks for.
struct Wanted {
  std::vector<Expr> conditions{};  // true of them
  bool some = true;                // whether the group must have one; otherwise it must have none
};

bool counts_some(const AggregateCall& call) {
  return call.name == "count" && call.info != nullptr && (call.filter || call.arguments.size() == 1);
}
bool counts_all(const AggregateCall& call) {
  return call.name == "count" && call.info != nullptr && !call.filter && call.arguments.empty();
}

// Whether `count op value` says that the count is not 0, or that it is; nullopt if it says something else.
std::optional<bool> says_some_rows(const Bound& bound) {
  const auto* value = std::get_if<std::int64_t>(bound.value);
  if (value == nullptr || bound.how.affinity == Affinity::text) return std::nullopt;
  const bool zero = *value == 0;
  const bool one = *value == 1;
  switch (bound.op) {
    case CompareOp::equal:
    case CompareOp::less_equal: return zero ? std::optional(false) : std::nullopt;
    case CompareOp::less: return one ? std::optional(false) : std::nullopt;
    case CompareOp::not_equal:
    case CompareOp::greater: return zero ? std::optional(true) : std::nullopt;
    case CompareOp::greater_equal: return one ? std::optional(true) : std::nullopt;
    default: return std::nullopt;
  }
}

const AggregateCall* call_with(const Aggregate& aggregate, const Expr& expr) {
  const auto* id = column_id(expr);
  const auto found = std::find_if(aggregate.calls.begin(), aggregate.calls.end(),
                                  [&](const AggregateCall& call) { return id != nullptr && call.id == *id; });
  return found != aggregate.calls.end() ? &*found : nullptr;
}

// The rows that `call` counts, or does not count.
std::vector<Expr> rows_of_count(const AggregateCall& call, bool counted) {
  std::vector<Expr> conditions;
  if (counted) {
    if (call.filter) conditions.push_back(*call.filter);
    for (const auto& argument : call.arguments) conditions.push_back(is_null(argument, true));
    return conditions;
  }
  std::vector<Expr> either;
  if (call.filter) either.emplace_back(IsTruth{*call.filter, true, true});
  for (const auto& argument : call.arguments) either.push_back(is_null(argument));
  conditions.push_back(disjunction(std::move(either)));
  return conditions;
}

// What the condition asks for, and the count that it compares.
std::optional<std::pair<Wanted, const AggregateCall*>> wanted_by(const Expr& conjunct, const Aggregate& aggregate) {
  if (const auto bound = as_bound(conjunct)) {
    const auto* call = call_with(aggregate, *bound->operand);
    const auto some = says_some_rows(*bound);
    if (call == nullptr || !some || !counts_some(*call) || (*some && aggregate.calls.size() == 1)) return std::nullopt;
    return std::pair{Wanted{rows_of_count(*call, true), *some}, call};
  }
  const auto* comparison = conjunct.as<Compare>();
  if (comparison == nullptr || comparison->how.affinity == Affinity::text) return std::nullopt;
  const auto* left = call_with(aggregate, *comparison->left);
  const auto* right = call_with(aggregate, *comparison->right);
  if (left == nullptr || right == nullptr) return std::nullopt;
  auto op = comparison->op;
  if (counts_all(*left)) {
    std::swap(left, right);
    op = mirrored(op);
  }
  if (!counts_some(*left) || left->distinct || !counts_all(*right)) return std::nullopt;
  const bool all = op == CompareOp::equal || op == CompareOp::greater_equal;
  if (!all && op != CompareOp::less && op != CompareOp::not_equal) return std::nullopt;
  return std::pair{Wanted{rows_of_count(*left, false), !all}, left};
}

bool is_small(const Rel& rel) {
  constexpr int most_operators = 12;
  int operators = 0;
  walk(rel, [&](const Rel&) { ++operators; });
  return operators <= most_operators;
}

bool is_grouped_by_columns(const Aggregate& aggregate, const Plan& plan) {
  return aggregate.grouped && !aggregate.keys.empty() && !aggregate.has_bare_columns() &&
         std::all_of(aggregate.keys.begin(), aggregate.keys.end(), [&](const GroupKey& key) {
           return key.expr.is<Column>() && key.collation == binary_collation && equal_is_identical(key.expr, plan);
         });
}

bool ask_for_rows(Rel& rel, const Usage& usage, RuleContext& context) {
  auto* filter = rel.as<Filter>();
  auto* aggregate = filter->input->as<Aggregate>();
  if (usage.positional || aggregate == nullptr || !is_grouped_by_columns(*aggregate, context.plan()) ||
      !is_small(*aggregate->input) || is_volatile(*aggregate->input) || !free_attributes(*aggregate->input).empty())
    return false;
  for (auto conjunct = filter->conjuncts.begin(); conjunct != filter->conjuncts.end(); ++conjunct) {
    auto wanted = wanted_by(*conjunct, *aggregate);
    if (!wanted) continue;
    auto& [rows, count] = *wanted;
    const auto id = count->id;
    const bool used_again = std::any_of(filter->conjuncts.begin(), filter->conjuncts.end(), [&](const Expr& other) {
      return &other != &*conjunct && references(other).contains(id);
    });
    if (used_again || usage.needed.contains(id) ||
        !std::all_of(rows.conditions.begin(), rows.conditions.end(), is_repeatable))
      continue;
    Renaming fresh;
    Rel copy = copy_with_new_ids(*aggregate->input, context.plan(), &fresh);
    for (auto& condition : rows.conditions) rename(condition, fresh);
    std::vector<Expr> on;
    for (const auto& key : aggregate->keys) {
      Expr partner = key.expr;
      rename(partner, fresh);
      on.push_back(compare(CompareOp::is, column(key.id), std::move(partner)));
    }
    const bool some = rows.some;
    Rel partners = with_filter(std::move(copy), std::move(rows.conditions));
    filter->conjuncts.erase(conjunct);
    Rel groups = std::move(*filter->input);
    auto others = std::move(filter->conjuncts);
    rel = Rel{Join{some ? JoinType::semi : JoinType::anti, with_filter(std::move(groups), std::move(others)),
                   std::move(partners), std::move(on)}};
    return true;
  }
  return false;
}

}  // namespace

const Rule counted_rows_to_semi_join{
    .name = "counted_rows_to_semi_join",
    .kinds = rel_kinds<Filter>,
    .apply = ask_for_rows,
    .example = counted_rows_to_semi_join_example,
};

}  // namespace trustsql::plan::rules
