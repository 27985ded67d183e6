#include "equiv/prover/condition_solver.hpp"

#include <gtest/gtest.h>

#include <deque>

namespace trustsql::equiv {
namespace {

using plan::CompareOp;
using plan::Expr;

// Columns x, y and z of integers that may be NULL.
class ConditionSolverTest : public ::testing::Test {
 protected:
  ConditionSolverTest() {
    for (auto* id : {&x_, &y_, &z_}) *id = plan_.add_attribute({.types = types::integer | types::null});
  }

  const Expr& keep(Expr expr) { return kept_.emplace_back(std::move(expr)); }
  const Expr& compare(plan::AttributeId a, CompareOp op, plan::AttributeId b) {
    return keep(plan::compare(op, plan::column(a), plan::column(b)));
  }
  const Expr& compare(plan::AttributeId a, CompareOp op, std::int64_t value) {
    return keep(plan::compare(op, plan::column(a), plan::literal(value)));
  }
  const Expr& column(plan::AttributeId id) { return keep(plan::column(id)); }

  ConditionSolver solver() { return {plan_, terms_, budget_, assume_integer_}; }

  plan::AttributeId x_ = 0, y_ = 0, z_ = 0;
  Budget budget_{10'000};

  plan::Plan plan_;
  std::function<bool(const Expr&, const plan::Rel&, const plan::Rel&)> same_subquery_ =
      [](const Expr&, const plan::Rel&, const plan::Rel&) { return false; };
  Terms terms_{same_subquery_};
  TermOrders::AssumeInteger assume_integer_ = [](plan::AttributeId) { return false; };

 private:
  std::deque<Expr> kept_;
};

TEST_F(ConditionSolverTest, OrderIsTransitive) {
  auto given = solver();
  given.assume(compare(x_, CompareOp::less, y_));
  given.assume(compare(y_, CompareOp::less_equal, z_));
  EXPECT_TRUE(given.implies(compare(x_, CompareOp::less, z_)));
  EXPECT_FALSE(given.implies(compare(x_, CompareOp::less, std::int64_t{7})));
  given.assume(compare(z_, CompareOp::less, x_));
  EXPECT_TRUE(given.contradictory());
}

TEST_F(ConditionSolverTest, EqualColumnsAreTheSame) {
  auto given = solver();
  given.assume(compare(x_, CompareOp::equal, y_));
  EXPECT_TRUE(given.same(column(x_), column(y_)));
  EXPECT_FALSE(given.same(column(x_), column(z_)));
  given.assume(compare(y_, CompareOp::equal, std::int64_t{3}));
  ASSERT_NE(given.constant(column(x_)), nullptr);
  EXPECT_EQ(*given.constant(column(x_)), Value(std::int64_t{3}));
}

TEST_F(ConditionSolverTest, ComparisonsThatAreTrueHaveNoNulls) {
  auto given = solver();
  EXPECT_FALSE(given.non_null(column(x_)));
  given.assume(compare(x_, CompareOp::not_equal, y_));
  EXPECT_TRUE(given.non_null(column(x_)));
  EXPECT_FALSE(given.non_null(column(z_)));
}

TEST_F(ConditionSolverTest, ConditionsThatAreNotTrueMayBeNull) {
  auto given = solver();
  given.assume(compare(x_, CompareOp::greater, std::int64_t{0}), TruthSet::not_true());
  EXPECT_FALSE(given.implies(compare(x_, CompareOp::less_equal, std::int64_t{0})));
  given.assume_non_null(x_);
  EXPECT_TRUE(given.implies(compare(x_, CompareOp::less_equal, std::int64_t{0})));
}

TEST_F(ConditionSolverTest, BetweenTwoNeighboursIsNoInteger) {
  auto given = solver();
  given.assume(compare(x_, CompareOp::greater, std::int64_t{4}));
  EXPECT_TRUE(given.implies(compare(x_, CompareOp::greater_equal, std::int64_t{5})));
  given.assume(compare(x_, CompareOp::less, std::int64_t{5}));
  EXPECT_TRUE(given.contradictory());
}

TEST_F(ConditionSolverTest, EachAlternativeIsTried) {
  auto given = solver();
  given.assume(keep(plan::disjunction(
      {compare(x_, CompareOp::equal, std::int64_t{1}), compare(x_, CompareOp::equal, std::int64_t{2})})));
  EXPECT_TRUE(given.implies(compare(x_, CompareOp::less, std::int64_t{3})));
  EXPECT_FALSE(given.implies(compare(x_, CompareOp::less, std::int64_t{2})));
  const auto& first = compare(x_, CompareOp::less, std::int64_t{2});
  const auto& second = compare(x_, CompareOp::greater, std::int64_t{1});
  EXPECT_TRUE(given.implies_one_of({{&first}, {&second}}));
}

TEST_F(ConditionSolverTest, NothingIsKnownOnceTheBudgetIsSpent) {
  auto given = solver();
  given.assume(compare(x_, CompareOp::less, y_));
  given.assume(compare(y_, CompareOp::less, z_));
  budget_.exhaust();
  EXPECT_FALSE(given.implies(compare(x_, CompareOp::less, std::int64_t{7})));
  EXPECT_TRUE(budget_.exhausted());
}

TEST_F(ConditionSolverTest, NoOrdersAreBuiltOnceTheBudgetIsSpent) {
  Congruence classes(terms_, budget_);
  TermOrders orders(plan_, terms_, budget_, assume_integer_);
  const auto x = terms_.intern(column(x_));
  const auto y = terms_.intern(column(y_));
  orders.constrain(classes, {}, x, y, Relations::less());
  EXPECT_EQ(orders.relation(classes, {}, x, y), Relations::less());
  const auto known = orders.constraints().size();
  budget_.exhaust();
  EXPECT_EQ(orders.relation(classes, {}, x, terms_.intern(column(z_))), Relations::any());
  EXPECT_EQ(orders.constraints().size(), known);
}

TEST_F(ConditionSolverTest, ABudgetAsksWhetherToStop) {
  int asked = 0;
  Budget stopped(1'000'000, Budget::Deadline::max(), [&] { return ++asked == 2; });
  while (stopped.spend()) continue;
  EXPECT_EQ(asked, 2);
  EXPECT_TRUE(stopped.exhausted());
}

}  // namespace
}  // namespace trustsql::equiv
