#include "plan/rules/sum_over_count.hpp"

#include "plan/rules/cluster.hpp"
#include "plan/rules/common.hpp"

namespace trustsql::plan::rules {

namespace {

bool is_never_integer(const Expr& expr, const Plan& plan) {
  if (expr.is<Column>() && storage_of(expr, plan) == Affinity::real) return true;
  const auto types = types_of(expr, plan, {});
  return !types.contains(ValueType::integer) && !types.contains(ValueType::text) && !types.contains(ValueType::blob);
}

// Whether `count` counts the values that `sum` adds, which may be reals only.
bool counts_summands(const AggregateCall& sum, const AggregateCall& count, const Aggregate& aggregate,
                     RuleContext& context) {
  const auto& summand = sum.arguments.front();
  if (!is_repeatable(summand) || !(sum.filter == count.filter) || (sum.filter && !is_repeatable(*sum.filter)) ||
      !is_never_integer(summand, context.plan()))
    return false;
  return count.arguments.empty() ? context.non_null(summand, context.facts(*aggregate.input))
                                 : count.arguments == sum.arguments;
}

// x of CAST(x AS REAL), any other expression itself.
const Expr& without_cast_to_real(const Expr& expr) {
  const auto* cast = expr.as<Cast>();
  return cast != nullptr && cast->affinity == Affinity::real ? *cast->operand : expr;
}

bool average(Rel& rel, RuleContext& context) {
  auto* aggregate = groups_below(rel);
  const auto* info = FunctionTable::latest().find("avg", 1);
  if (aggregate == nullptr || info == nullptr) return false;
  const auto ids = outputs(rel);
  bool changed = false;
  const auto replace = [&](auto& self, Expr& expr) -> void {
    const auto* quotient = expr.as<Binary>();
    if (quotient != nullptr && quotient->op == ast::BinaryOp::divide) {
      const auto* sum = call_in(*aggregate, without_cast_to_real(*quotient->left), "sum");
      const auto* count = call_in(*aggregate, *quotient->right, "count");
      if (sum != nullptr && count != nullptr && counts_summands(*sum, *count, *aggregate, context)) {
        AggregateCall call = *sum;
        call.id = context.plan().add_attribute_like(sum->id);
        context.plan().attributes[call.id].types = (types::null | types::real);
        call.name = info->name;
        call.info = info;
        expr = column(call.id);
        aggregate->calls.push_back(std::move(call));
        changed = true;
        return;
      }
    }
    for_each_expr(expr, [&](Expr& part) { self(self, part); });
  };
  for_each_expr(rel, [&](Expr& expr) { replace(replace, expr); });
  if (changed) rel = with_outputs(std::move(rel), ids);
  return changed;
}

}  // namespace

const Rule sum_over_count{
    .name = "sum_over_count",
    .kinds = rel_kinds<Project, Filter>,
    .apply = average,
    .example = sum_over_count_example,
};

}  // namespace trustsql::plan::rules
