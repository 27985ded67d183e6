#include "plan/rules/coalesced_count.hpp"

#include <algorithm>

#include "plan/rules/cluster.hpp"
#include "plan/rules/common.hpp"
#include "plan/strictness.hpp"

namespace trustsql::plan::rules {

namespace {

// x, if `expr` is coalesce(x, 0).
const Expr* replaced_by_zero(const Expr& expr) {
  const auto* function = expr.as<Function>();
  const bool fits = function != nullptr && function->info != nullptr &&
                    (function->name == "coalesce" || function->name == "ifnull") && function->arguments.size() == 2 &&
                    is_integer_literal(function->arguments.back(), 0);
  return fits ? &function->arguments.front() : nullptr;
}

const AggregateCall* call_of(const Aggregate& aggregate, const Expr& expr) {
  const auto* id = column_id(expr);
  const auto found = std::find_if(aggregate.calls.begin(), aggregate.calls.end(),
                                  [&](const AggregateCall& call) { return id != nullptr && call.id == *id; });
  return found != aggregate.calls.end() ? &*found : nullptr;
}

// Whether `rows` counts the rows of a left join that have a match, and `count` adds nothing for those without one.
bool counts_matches(const AggregateCall& rows, const AggregateCall& count, const Rel& input, const Plan& plan) {
  const auto* join = input.as<Join>();
  const auto* id = rows.arguments.size() == 1 ? column_id(rows.arguments.front()) : nullptr;
  if (join == nullptr || join->type != JoinType::left || id == nullptr || rows.filter || rows.distinct) return false;
  const auto of_matches = output_set(*join->right);
  const bool compared = of_matches.contains(*id) && std::any_of(join->on.begin(), join->on.end(), [&](const Expr& on) {
                          return null_rejected(on, plan).contains(*id);
                        });
  return compared && ((count.filter && null_rejected(*count.filter, plan).intersects(of_matches)) ||
                      (count.arguments.size() == 1 && strict(count.arguments.front()).intersects(of_matches)));
}

// The count k, if `expr` is CASE WHEN n = 0 THEN NULL ELSE k END for the number n of all rows, or of those with a
// match.
const AggregateCall* count_unless_empty(const Expr& expr, const Aggregate& aggregate, const Plan& plan) {
  const auto* choice = expr.as<Case>();
  if (choice == nullptr || choice->operand || choice->branches.size() != 1 || !choice->otherwise ||
      !is_null_literal(*choice->branches.front().result))
    return nullptr;
  const auto* test = choice->branches.front().condition->as<Compare>();
  const auto* rows = test != nullptr && test->op == CompareOp::equal && is_integer_literal(*test->right, 0)
                         ? call_of(aggregate, *test->left)
                         : nullptr;
  const auto* count = call_of(aggregate, *choice->otherwise);
  const auto is_count = [](const AggregateCall* call) {
    return call != nullptr && call->name == "count" && call->info != nullptr;
  };
  if (!is_count(rows) || !is_count(count)) return nullptr;
  const bool all = rows->arguments.empty() && !rows->filter;
  return all || counts_matches(*rows, *count, *aggregate.input, plan) ? count : nullptr;
}

// The condition under which a row adds 1 to the sum `call`; nullopt if it may add anything but 0 and 1.
std::optional<Expr> condition_of(const AggregateCall& call, const Rel& input, RuleContext& context) {
  if (call.name != "sum" || call.info == nullptr || call.distinct || call.arguments.size() != 1) return std::nullopt;
  const auto& argument = call.arguments.front();
  if (!is_repeatable(argument) || (call.filter && !is_repeatable(*call.filter))) return std::nullopt;
  std::vector<Expr> conditions;
  if (call.filter) conditions.push_back(*call.filter);
  if (auto condition = summed_condition(call, input, context)) {
    conditions.push_back(*std::move(condition));
  } else if (is_boolean(argument) && !argument.is<Literal>()) {
    conditions.push_back(argument);
  } else if (!is_integer_literal(argument, 1)) {
    return std::nullopt;
  }
  return conjunction(std::move(conditions));
}

// Compares the count instead of a value that is NULL instead of 0, if the condition is not true of 0. Returns whether
// it did.
bool compare_count(Expr& conjunct, const Aggregate& aggregate, const Plan& plan) {
  auto* comparison = conjunct.as<Compare>();
  const auto bound = as_bound(conjunct);
  if (comparison == nullptr || !bound || bound->op == CompareOp::is || bound->op == CompareOp::is_not ||
      literal_value(*comparison->right) == nullptr)
    return false;
  const auto* count = count_unless_empty(*bound->operand, aggregate, plan);
  if (count == nullptr) return false;
  const auto of_zero = evaluate(compare(bound->op, literal(std::int64_t{0}), *comparison->right, bound->how));
  if (!of_zero || !is_untrue_literal(literal(*of_zero))) return false;
  comparison->left = column(count->id);
  return true;
}

bool count_instead(Rel& rel, RuleContext& context) {
  auto* project = rel.as<Project>();
  auto* filter = rel.as<Filter>();
  if (project == nullptr && filter == nullptr) return false;
  auto* aggregate = project != nullptr ? project->input->as<Aggregate>() : filter->input->as<Aggregate>();
  if (aggregate == nullptr || aggregate->has_bare_columns()) return false;
  const auto ids = outputs(rel);
  bool changed = false;
  const auto replace = [&](auto& self, Expr& expr) -> void {
    const auto* value = replaced_by_zero(expr);
    const auto* call = value != nullptr ? call_of(*aggregate, *value) : nullptr;
    if (value != nullptr && call == nullptr) {
      if (const auto* count = count_unless_empty(*value, *aggregate, context.plan())) {
        expr = column(count->id);
        changed = true;
        return;
      }
    }
    if (auto condition = call != nullptr ? condition_of(*call, *aggregate->input, context) : std::nullopt) {
      if (auto count = count_of_rows(call->id, context.plan())) {
        count->filter = *std::move(condition);
        expr = column(count->id);
        aggregate->calls.push_back(*std::move(count));
        changed = true;
        return;
      }
    }
    for_each_expr(expr, [&](Expr& part) { self(self, part); });
  };
  for_each_expr(rel, [&](Expr& expr) {
    const bool compared = filter != nullptr && compare_count(expr, *aggregate, context.plan());
    changed = changed || compared;
    if (!compared) replace(replace, expr);
  });
  if (changed && filter != nullptr) rel = with_outputs(std::move(rel), ids);
  return changed;
}

}  // namespace

const Rule coalesced_count{
    .name = "coalesced_count",
    .kinds = rel_kinds<Project, Filter>,
    .apply = count_instead,
    .example = coalesced_count_example,
};

}  // namespace trustsql::plan::rules
