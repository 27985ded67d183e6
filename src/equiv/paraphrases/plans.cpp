// Paraphrases by the planner: the query's plan as SQL, in normal form, and after each rule alone.
//
// A rule of the planner goes one way only. Since pairs have no direction, the pair of a query and its rewritten form
// serves for both ways.

#include "equiv/paraphrases/kinds.hpp"
#include "plan/all_rules.hpp"
#include "plan/builder.hpp"
#include "plan/normaliser.hpp"
#include "plan/to_sql.hpp"

namespace trustsql::equiv::paraphrases {

using namespace rewriting;

namespace {

constexpr int max_rule_steps = 1000;

// nullopt if it cannot be planned.
std::optional<plan::Plan> plan_of(const QueryRewriter& rewriter) {
  auto plan = plan::build_plan(rewriter.names());
  return plan.ok() ? std::optional(*std::move(plan)) : std::nullopt;
}

}  // namespace

void printed_plan(QueryRewriter& rewriter) {
  if (const auto plan = plan_of(rewriter)) rewriter.whole(plan::to_ast(*plan));
}

void normal_form(QueryRewriter& rewriter) {
  auto plan = plan_of(rewriter);
  if (!plan) return;
  const auto normalised = plan::normalise(
      *std::move(plan), {.assume = plan::Assume::nothing(), .max_steps = max_rule_steps, .stop = rewriter.stop()});
  rewriter.whole(plan::to_ast(normalised.plan));
}

void planner_rule(QueryRewriter& rewriter) {
  const auto plan = plan_of(rewriter);
  if (!plan) return;
  for (const auto* rule : plan::all_rules()) {
    if (rewriter.done()) return;
    const plan::Rule* const alone[] = {rule};
    const auto rewritten = plan::normalise(*plan, {.assume = plan::Assume::nothing(),
                                                   .rules = alone,
                                                   .put_in_order = false,
                                                   .max_steps = max_rule_steps,
                                                   .stop = rewriter.stop()});
    if (!rewritten.fired.empty()) rewriter.whole(plan::to_ast(rewritten.plan));
  }
}

}  // namespace trustsql::equiv::paraphrases
