#include "plan/rules/ignored_nulls.hpp"

#include <algorithm>

#include "plan/aggregates.hpp"
#include "plan/rules/cluster.hpp"
#include "plan/rules/common.hpp"
#include "plan/strictness.hpp"

namespace trustsql::plan::rules {

namespace {

bool counts_rows(const AggregateCall& call) { return call.name == "count" && call.arguments.empty() && !call.filter; }

// Whether a row in which the column is NULL does not affect the call.
bool ignores_nulls_of(AttributeId id, const AggregateCall& call, const Plan& plan) {
  return (call.filter && null_rejected(*call.filter, plan).contains(id)) ||
         (call.arguments.size() == 1 && strict(call.arguments.front()).contains(id));
}

// The column that the condition asks to be not NULL.
const AttributeId* column_not_null(const Expr& condition) {
  const auto* test = condition.as<IsNull>();
  return test != nullptr && test->negated ? column_id(*test->operand) : nullptr;
}

// Drops such a condition from filters on the rows, or on the relations that an inner join makes them from.
bool drop_condition(Rel& rows, Aggregate& aggregate, bool of_result, const Plan& plan) {
  if (auto* join = rows.as<Join>()) {
    return join->type == JoinType::inner && (drop_condition(*join->left, aggregate, of_result, plan) ||
                                             drop_condition(*join->right, aggregate, of_result, plan));
  }
  auto* filter = rows.as<Filter>();
  const bool only_counts_rows = of_result && std::all_of(aggregate.calls.begin(), aggregate.calls.end(), counts_rows);
  const auto* info = FunctionTable::latest().find("count", 1);
  if (filter == nullptr || only_counts_rows || info == nullptr) return false;
  const auto inside = output_set(*filter->input);
  for (auto condition = filter->conjuncts.begin(); condition != filter->conjuncts.end(); ++condition) {
    const auto* id = column_not_null(*condition);
    const bool fits = id != nullptr && inside.contains(*id) &&
                      std::all_of(aggregate.calls.begin(), aggregate.calls.end(), [&](const AggregateCall& call) {
                        return counts_rows(call) || ignores_nulls_of(*id, call, plan);
                      });
    if (!fits) continue;
    for (auto& call : aggregate.calls) {
      if (!counts_rows(call)) continue;
      call.arguments.push_back(column(*id));
      call.info = info;
    }
    filter->conjuncts.erase(condition);
    drop_if_empty(rows);
    return true;
  }
  return drop_condition(*filter->input, aggregate, of_result, plan);
}

// count(x), the only call, counts the rows in which x is not NULL.
bool count_rows(Aggregate& aggregate) {
  if (aggregate.calls.size() != 1) return false;
  auto& call = aggregate.calls.front();
  if (call.name != "count" || call.distinct || call.filter || call.arguments.size() != 1) return false;
  const auto* id = column_id(call.arguments.front());
  const auto* info = FunctionTable::latest().find("count", 0);
  if (id == nullptr || info == nullptr || !output_set(*aggregate.input).contains(*id)) return false;
  std::vector<Expr> condition;
  condition.push_back(is_null(std::move(call.arguments.front()), true));
  call.arguments.clear();
  call.info = info;
  return put_filter(aggregate.input, std::move(condition));
}

bool ignore_nulls(Rel& rel, RuleContext& context) {
  auto& aggregate = *rel.as<Aggregate>();
  if (aggregate.grouped || aggregate.calls.empty() ||
      !std::all_of(aggregate.calls.begin(), aggregate.calls.end(), is_basic))
    return false;
  const bool of_result = is_result(rel, context.plan());
  return drop_condition(*aggregate.input, aggregate, of_result, context.plan()) || (of_result && count_rows(aggregate));
}

}  // namespace

const Rule ignored_nulls{
    .name = "ignored_nulls",
    .kinds = rel_kinds<Aggregate>,
    .apply = ignore_nulls,
    .example = ignored_nulls_example,
};

}  // namespace trustsql::plan::rules
