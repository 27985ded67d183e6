// The checker on rules without a law, on whole traces and on orders.
#include <gtest/gtest.h>

#include "plan/all_rules.hpp"
#include "unit/equiv/checker/steps_fixture.hpp"

namespace trustsql::equiv::checker {
namespace {

TEST_F(CheckerOnSteps, RuleWithoutALaw) {
  auto step_of_another = step("conjunct_simplification", "SELECT id FROM p WHERE age = 1 AND name = 'a' AND age = 1");
  step_of_another.rule = "some_new_rule";
  EXPECT_EQ(reject_rewrite(step_of_another, plan_), "some_new_rule: no law is known");
  auto of_expression = step("constant_folding", "SELECT 1 + 1");
  of_expression.rule = "some_new_rule";
  reject(of_expression);
}

// Each rule must have a law, including those that are not tried here.
TEST_F(CheckerOnSteps, EachRuleHasALaw) {
  plan_ = maker_.plan("SELECT id FROM p");
  for (const auto* rule : all_rules()) {
    RewriteStep nothing;
    nothing.rule = rule->name;
    if (std::holds_alternative<RuleOnExpr>(rule->apply)) {
      nothing.before = nothing.after = literal(std::int64_t{1});
    } else {
      nothing.before = nothing.after = plan_.root;
    }
    const auto why = reject_rewrite(nothing, plan_);
    EXPECT_TRUE(!why || !why->ends_with("no law is known")) << *why;
  }
}

TEST_F(CheckerOnSteps, AWholeTrace) {
  const auto plan = maker_.plan(
      "SELECT DISTINCT p.id FROM p JOIN c ON c.pid = p.id WHERE 3 < p.age + 0 AND p.name IN ('a') ORDER BY p.id, "
      "p.age");
  const auto normalised = normalise(plan, {.assume = Assume::everything(), .record = true, .verify = true});
  ASSERT_GE(normalised.trace.front().steps.size(), 3U);
  const auto check = check_rewrites(plan, normalised);
  EXPECT_FALSE(check.rejection) << *check.rejection;
  EXPECT_GE(check.steps, 3);

  auto missing = normalised;
  missing.trace.front().steps.pop_back();
  EXPECT_TRUE(check_rewrites(plan, missing).rejection);
  auto unnamed = normalised;
  unnamed.trace.front().steps.front().assumptions.push_back({Assumption::Kind::foreign_key, "c", {"pid"}, "p"});
  EXPECT_TRUE(check_rewrites(plan, unnamed).rejection);
  auto elsewhere = normalised;
  elsewhere.plan.root = maker_.plan("SELECT id FROM p").root;
  EXPECT_TRUE(check_rewrites(plan, elsewhere).rejection);
  EXPECT_TRUE(check_rewrites(maker_.plan("SELECT id FROM p"), normalised).rejection);
}

TEST_F(CheckerOnSteps, OrderThatDoesNotMatter) {
  const auto plan = maker_.plan("SELECT p.id, c.v FROM p, c WHERE p.id = c.pid AND p.age + 1 > 3");
  EXPECT_TRUE(same_but_for_order(plan.root, plan.root));
  Plan other = plan;
  put_in_order(other);
  Plan renamed = plan;
  rename(renamed.root, put_in_order(other = plan));
  EXPECT_TRUE(same_but_for_order(renamed.root, other.root));
  // The columns of the result have fixed positions.
  auto swapped = plan;
  std::swap(swapped.root.as<Project>()->items[0], swapped.root.as<Project>()->items[1]);
  EXPECT_FALSE(same_but_for_order(plan.root, swapped.root));
  auto dropped = plan;
  walk(dropped.root, [](Filter& filter) { filter.conjuncts.pop_back(); });
  EXPECT_FALSE(same_but_for_order(plan.root, dropped.root));
}

}  // namespace
}  // namespace trustsql::equiv::checker
