#include "plan/rules/count_difference.hpp"

#include <algorithm>

#include "plan/rules/cluster.hpp"
#include "plan/rules/common.hpp"

namespace trustsql::plan::rules {

namespace {

const AggregateCall* count_in(const Aggregate& aggregate, const Expr& expr) {
  const auto* id = column_id(expr);
  const auto found = std::find_if(aggregate.calls.begin(), aggregate.calls.end(), [&](const AggregateCall& call) {
    return id != nullptr && call.id == *id && call.name == "count" && call.info != nullptr && !call.distinct;
  });
  return found != aggregate.calls.end() ? &*found : nullptr;
}

// The rows that `all` counts and `some` does not; nullopt if `all` need not count what `some` does.
std::optional<Expr> rows_between(const AggregateCall& all, const AggregateCall& some) {
  if (!all.arguments.empty() || (some.filter && !is_repeatable(*some.filter)) ||
      !std::all_of(some.arguments.begin(), some.arguments.end(), is_repeatable))
    return std::nullopt;
  std::vector<Expr> either;
  for (const auto& argument : some.arguments) either.push_back(is_null(argument));
  if (!all.filter) {
    if (some.filter) either.emplace_back(IsTruth{*some.filter, true, true});
    return either.empty() ? std::nullopt : std::optional(disjunction(std::move(either)));
  }
  if (!(all.filter == some.filter) || either.empty()) return std::nullopt;
  std::vector<Expr> both;
  both.push_back(*all.filter);
  both.push_back(disjunction(std::move(either)));
  return conjunction(std::move(both));
}

bool count_between(Rel& rel, RuleContext& context) {
  auto* aggregate = groups_below(rel);
  if (aggregate == nullptr) return false;
  const auto ids = outputs(rel);
  bool changed = false;
  const auto replace = [&](auto& self, Expr& expr) -> void {
    const auto* difference = expr.as<Binary>();
    if (difference != nullptr && difference->op == ast::BinaryOp::subtract) {
      const auto* all = count_in(*aggregate, *difference->left);
      const auto* some = count_in(*aggregate, *difference->right);
      auto rows = all != nullptr && some != nullptr ? rows_between(*all, *some) : std::nullopt;
      auto count = rows ? count_of_rows(all->id, context.plan()) : std::nullopt;
      if (count) {
        count->filter = *std::move(rows);
        expr = column(count->id);
        aggregate->calls.push_back(*std::move(count));
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

const Rule count_difference{
    .name = "count_difference",
    .kinds = rel_kinds<Project, Filter>,
    .apply = count_between,
    .example = count_difference_example,
};

}  // namespace trustsql::plan::rules
