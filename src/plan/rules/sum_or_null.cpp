#include "plan/rules/sum_or_null.hpp"

#include "plan/rules/common.hpp"
#include "plan/strictness.hpp"

namespace trustsql::plan::rules {

namespace {

// Whether `count` counts the values that `sum` adds, which are integers.
bool counts_integers(const AggregateCall& sum, const AggregateCall& count, const Aggregate& groups,
                     RuleContext& context) {
  const auto& summand = sum.arguments.front();
  if (!is_repeatable(summand) || !(sum.filter == count.filter) || (sum.filter && !is_repeatable(*sum.filter)))
    return false;
  const bool same_values = count.arguments.empty() ? context.non_null(summand, context.facts(*groups.input))
                                                   : count.arguments == sum.arguments;
  return same_values && context.integers_only(summand);
}

// Replaces coalesce(sum, ...) by the sum.
void drop_coalesce(Expr& expr, AttributeId sum) {
  if (auto* function = expr.as<Function>(); function != nullptr && is_coalesce(*function)) {
    const auto* first = column_id(function->arguments.front());
    if (first != nullptr && *first == sum) {
      expr = column(sum);
      return;
    }
  }
  for_each_expr(expr, [&](Expr& part) { drop_coalesce(part, sum); });
}

// The value of the CASE without it; nullopt if it is of another form.
std::optional<Expr> without_case(const Case& choice, const Aggregate& groups, RuleContext& context) {
  if (choice.operand || choice.branches.size() != 1 || !choice.otherwise ||
      !is_null_literal(*choice.branches.front().result))
    return std::nullopt;
  const auto* empty = choice.branches.front().condition->as<Compare>();
  if (empty == nullptr || empty->op != CompareOp::equal || !is_integer_literal(*empty->right, 0)) return std::nullopt;
  const auto* count = call_in(groups, *empty->left, "count");
  if (count == nullptr) return std::nullopt;
  for (const auto& sum : groups.calls) {
    if (call_in(groups, column(sum.id), "sum") == nullptr || !references(*choice.otherwise).contains(sum.id)) continue;
    Expr value = *choice.otherwise;
    drop_coalesce(value, sum.id);
    if (strict(value).contains(sum.id) && counts_integers(sum, *count, groups, context)) return value;
  }
  return std::nullopt;
}

bool use_sum(Rel& rel, RuleContext& context) {
  const auto* groups = groups_below(rel);
  if (groups == nullptr) return false;
  bool changed = false;
  const auto replace = [&](auto& self, Expr& expr) -> void {
    if (const auto* choice = expr.as<Case>()) {
      if (auto value = without_case(*choice, *groups, context)) {
        expr = *std::move(value);
        changed = true;
        return;
      }
    }
    for_each_expr(expr, [&](Expr& part) { self(self, part); });
  };
  for_each_expr(rel, [&](Expr& expr) { replace(replace, expr); });
  return changed;
}

}  // namespace

const Rule sum_or_null{
    .name = "sum_or_null",
    .kinds = rel_kinds<Project, Filter>,
    .apply = use_sum,
    .example = sum_or_null_example,
};

}  // namespace trustsql::plan::rules
