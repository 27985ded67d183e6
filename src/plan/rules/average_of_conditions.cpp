#include "plan/rules/average_of_conditions.hpp"

#include <algorithm>

#include "plan/rules/common.hpp"

namespace trustsql::plan::rules {

namespace {

bool is_whole(const Expr& expr, std::int64_t number) {
  const auto* value = literal_value(expr);
  const auto* real = value != nullptr ? std::get_if<double>(value) : nullptr;
  return is_integer_literal(expr, number) || (real != nullptr && *real == static_cast<double>(number));
}

// The condition whose values, 0 and 1, the call averages; nullopt if its argument is something else.
std::optional<Expr> averaged_condition(const AggregateCall& call, const Rel& input, RuleContext& context) {
  const auto* choice = call.arguments.front().as<Case>();
  if (choice != nullptr && !choice->operand && choice->branches.size() == 1 && choice->otherwise &&
      is_whole(*choice->branches.front().result, 1) && is_whole(*choice->otherwise, 0))
    return *choice->branches.front().condition;
  return summed_condition(call, input, context);
}

bool divide_counts(Rel& rel, RuleContext& context) {
  auto* aggregate = rel.as<Aggregate>();
  auto& plan = context.plan();
  if (aggregate->has_bare_columns() || !is_result(rel, plan)) return false;
  const auto ids = outputs(rel);
  for (auto& call : aggregate->calls) {
    if (call.name != "avg" || call.info == nullptr || call.distinct || call.arguments.size() != 1 ||
        !is_repeatable(call.arguments.front()) || (call.filter && !is_repeatable(*call.filter)))
      continue;
    auto condition = averaged_condition(call, *aggregate->input, context);
    if (!condition) continue;
    const auto averaged = call.id;
    auto rows = count_of_rows(averaged, plan);
    auto matches = count_of_rows(averaged, plan);
    if (!rows || !matches) return false;
    std::vector<Expr> both;
    if (call.filter) {
      rows->filter = *call.filter;
      both.push_back(*call.filter);
    }
    both.push_back(*std::move(condition));
    matches->filter = conjunction(std::move(both));
    Expr share{
        Binary{ast::BinaryOp::divide, Expr{Cast{column(matches->id), "REAL", Affinity::real}}, column(rows->id)}};
    call = *std::move(matches);
    aggregate->calls.push_back(*std::move(rows));
    Project project;
    for (const auto id : ids) project.items.push_back({id, id == averaged ? share : column(id)});
    project.input = std::move(rel);
    rel = Rel{std::move(project)};
    return true;
  }
  return false;
}

}  // namespace

const Rule average_of_conditions{
    .name = "average_of_conditions",
    .kinds = rel_kinds<Aggregate>,
    .apply = divide_counts,
    .example = average_of_conditions_example,
};

}  // namespace trustsql::plan::rules
