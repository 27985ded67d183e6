#include "plan/rules/sum_of_conditions.hpp"

#include <algorithm>

#include "plan/rules/common.hpp"

namespace trustsql::plan::rules {

namespace {

bool count_conditions(Rel& rel, RuleContext& context) {
  auto* aggregate = rel.as<Aggregate>();
  auto& plan = context.plan();
  if (aggregate->grouped || aggregate->has_bare_columns() || !is_result(rel, plan)) return false;
  const auto ids = outputs(rel);
  for (auto& call : aggregate->calls) {
    if (call.name != "sum" || call.info == nullptr || call.distinct || call.filter || call.arguments.size() != 1)
      continue;
    auto condition = summed_condition(call, *aggregate->input, context);
    if (!condition) continue;
    const auto sum = call.id;
    auto rows = count_of_rows(sum, plan);
    auto matches = count_of_rows(sum, plan);
    if (!rows || !matches) return false;
    matches->filter = *std::move(condition);
    Case value;
    value.branches.push_back({compare(CompareOp::equal, column(rows->id), literal(std::int64_t{0})), literal({}), {}});
    value.otherwise = column(matches->id);
    call = *std::move(matches);
    aggregate->calls.push_back(*std::move(rows));
    Project project;
    for (const auto id : ids) project.items.push_back({id, id == sum ? Expr{value} : column(id)});
    project.input = std::move(rel);
    rel = Rel{std::move(project)};
    return true;
  }
  return false;
}

}  // namespace

const Rule sum_of_conditions{
    .name = "sum_of_conditions",
    .kinds = rel_kinds<Aggregate>,
    .apply = count_conditions,
    .example = sum_of_conditions_example,
};

}  // namespace trustsql::plan::rules
