#include "equiv/prover/solver.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "equiv/prover.hpp"
#include "unit/plan/plan_of.hpp"

namespace trustsql::equiv {
namespace {

class IntegerSolverTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!IntegerSolver::available()) GTEST_SKIP() << "built without TRUSTSQL_WITH_Z3";
  }
  IntegerSolver solver_;
};

TEST_F(IntegerSolverTest, AddsUp) {
  const auto x = solver_.unknown();
  const auto y = solver_.unknown();
  solver_.require(x, Relations::greater(), solver_.constant(3));
  solver_.require(y, Relations::greater(), solver_.constant(5));
  solver_.require(x, Relations::less(), solver_.constant(1000));
  solver_.require(y, Relations::less(), solver_.constant(1000));
  EXPECT_FALSE(solver_.contradictory());
  solver_.require(solver_.sum(x, y), Relations::less(), solver_.constant(10));
  EXPECT_TRUE(solver_.contradictory());
}

TEST_F(IntegerSolverTest, KnowsThatThereIsNothingBetweenTwoNeighbours) {
  const auto x = solver_.unknown();
  const auto twice = solver_.product(x, solver_.constant(2));
  solver_.require(x, Relations::less(), solver_.constant(100));
  solver_.require(x, Relations::greater(), solver_.constant(-100));
  solver_.require(twice, Relations::equal(), solver_.constant(7));
  EXPECT_TRUE(solver_.contradictory());
}

// 9223372036854775807 + 1 is the real 9223372036854775808.0, which is no longer an integer.
TEST_F(IntegerSolverTest, AssumesNoOverflowAway) {
  const auto x = solver_.unknown();
  const auto next = solver_.sum(x, solver_.constant(1));
  const auto back = solver_.difference(next, solver_.constant(1));
  solver_.require(back, Relations::any() - Relations::equal(), x);
  EXPECT_FALSE(solver_.contradictory());
  // Not if it fits.
  solver_.require(x, Relations::less(), solver_.constant(std::numeric_limits<std::int64_t>::max()));
  EXPECT_TRUE(solver_.contradictory());
}

TEST_F(IntegerSolverTest, TakesRoundedSumsForLarge) {
  const auto x = solver_.unknown();
  const auto y = solver_.unknown();
  solver_.require(x, Relations::greater(), solver_.constant(0));
  solver_.require(y, Relations::greater(), solver_.constant(0));
  solver_.require(solver_.sum(x, y), Relations::less(), solver_.constant(2));
  EXPECT_TRUE(solver_.contradictory());
}

TEST_F(IntegerSolverTest, HelpsTheProver) {
  const testing_support::PlanMaker maker(
      "CREATE TABLE t(a INTEGER PRIMARY KEY); CREATE TABLE u(b INTEGER PRIMARY KEY, c INT NOT NULL)");
  const auto proves = [&](const char* a, const char* b) {
    return prove(maker.plan(a), maker.plan(b)).proof.has_value();
  };
  EXPECT_TRUE(proves("SELECT a, b FROM t, u WHERE a > 3 AND b > 5 AND a + b < 100",
                     "SELECT a, b FROM t, u WHERE a > 3 AND b > 5 AND a + b < 100 AND a < 95 AND b < 97"));
  EXPECT_FALSE(proves("SELECT a, b FROM t, u WHERE a > 3 AND b > 5 AND a + b < 100",
                      "SELECT a, b FROM t, u WHERE a > 3 AND b > 5 AND a + b < 100 AND a < 93"));
  // A column that is declared INT may hold anything.
  EXPECT_FALSE(proves("SELECT a, c FROM t, u WHERE a > 3 AND c > 5 AND a + c < 100",
                      "SELECT a, c FROM t, u WHERE a > 3 AND c > 5 AND a + c < 100 AND a < 95"));
}

}  // namespace
}  // namespace trustsql::equiv
