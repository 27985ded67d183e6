#include "plan/rules/sum_of_conditions.hpp"

#include <map>

#include "plan/rules/common.hpp"

namespace trustsql::plan::rules {

namespace {

// All sums at once: each step of a rule costs as much as the whole list.
bool count_conditions(Rel& rel, RuleContext& context) {
  auto* aggregate = rel.as<Aggregate>();
  auto& plan = context.plan();
  if (aggregate->grouped || aggregate->has_bare_columns() || !is_result(rel, plan)) return false;
  const auto ids = outputs(rel);
  std::map<AttributeId, Expr> sums;
  std::optional<AggregateCall> rows;  // that all sums are over
  for (auto& call : aggregate->calls) {
    if (call.name != "sum" || call.info == nullptr || call.distinct || call.filter || call.arguments.size() != 1)
      continue;
    auto condition = summed_condition(call, *aggregate->input, context);
    if (!condition) continue;
    if (!rows) rows = count_of_rows(call.id, plan);
    auto matches = count_of_rows(call.id, plan);
    if (!rows || !matches) continue;
    matches->filter = *std::move(condition);
    Case value;
    value.branches.push_back({compare(CompareOp::equal, column(rows->id), literal(std::int64_t{0})), literal({}), {}});
    value.otherwise = column(matches->id);
    sums.emplace(call.id, Expr{std::move(value)});
    call = *std::move(matches);
  }
  if (sums.empty()) return false;
  aggregate->calls.push_back(*std::move(rows));
  project_above(rel, ids, sums);
  return true;
}

}  // namespace

const Rule sum_of_conditions{
    .name = "sum_of_conditions",
    .kinds = rel_kinds<Aggregate>,
    .apply = count_conditions,
    .example = sum_of_conditions_example,
};

}  // namespace trustsql::plan::rules
