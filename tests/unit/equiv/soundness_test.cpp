// Pairs that look the same and are not, each of which was once proved, or crashed the prover. SQLite's own bugs are
// tested in plan/sqlite_bugs_test.cpp; the families (families/) look for more.
#include <gtest/gtest.h>

#include "equiv/prover.hpp"
#include "unit/plan/plan_of.hpp"

namespace trustsql::equiv {
namespace {

class Soundness : public testing::Test {
 protected:
  void not_proved(const std::string& a, const std::string& b) const {
    const ProveOptions everything{.assume = plan::Assume::everything()};
    EXPECT_FALSE(prove(maker_.plan(a), maker_.plan(b), everything).proof) << a << "\n" << b;
    EXPECT_FALSE(prove(maker_.plan(b), maker_.plan(a), everything).proof) << b << "\n" << a;
  }

  testing_support::PlanMaker maker_{R"(
    CREATE TABLE v(a INT, b INT);
    CREATE TABLE t(b TEXT, c);
    CREATE TABLE u(x, y);
    CREATE TABLE n(k INT, r REAL, m NUMERIC);
  )"};
};

TEST_F(Soundness, JoinsBelowTheRightSideOfALeftJoin) {
  const std::string one_join = "SELECT x2.b FROM v x1 LEFT JOIN v x2 ON x1.a = x2.a";
  not_proved("SELECT x2.b FROM v x1 LEFT JOIN (v x2 LEFT JOIN v x4 ON x2.b = x4.b) ON x1.a = x2.a", one_join);
  not_proved(
      "SELECT x2.b FROM v x1 LEFT JOIN (v x2 LEFT JOIN (v x3 LEFT JOIN v x4 ON x3.a = x4.a) ON x2.b = x3.b) ON x1.a = "
      "x2.a",
      "SELECT x2.b FROM v x1 LEFT JOIN (v x2 LEFT JOIN v x3 ON x2.b = x3.b) ON x1.a = x2.a");
  not_proved("SELECT x2.b FROM (v x2 LEFT JOIN v x4 ON x2.b = x4.b) RIGHT JOIN v x1 ON x1.a = x2.a", one_join);
  not_proved(
      "SELECT count(*) FROM v x1 LEFT JOIN (SELECT x2.a FROM v x2 LEFT JOIN v x4 ON x2.b = x4.b) s ON x1.a = s.a",
      "SELECT count(*) FROM v x1 LEFT JOIN (SELECT x2.a FROM v x2) s ON x1.a = s.a");
  not_proved("SELECT x2.b FROM v x1 FULL JOIN (v x2 LEFT JOIN v x4 ON x2.b = x4.b) ON x1.a = x2.a",
             "SELECT x2.b FROM v x1 FULL JOIN v x2 ON x1.a = x2.a");
}

// Which of 1 and 1.0 is kept shows where they are compared as texts.
TEST_F(Soundness, MergedValuesThatAreToldApart) {
  not_proved("SELECT c FROM t WHERE b IN (SELECT y FROM u EXCEPT SELECT NULL)",
             "SELECT c FROM t WHERE b IN (SELECT +y FROM u)");
  not_proved("SELECT c FROM t WHERE b IN (SELECT DISTINCT y FROM u)", "SELECT c FROM t WHERE b IN (SELECT y FROM u)");
  not_proved("SELECT c FROM t WHERE b IN (SELECT y FROM u GROUP BY y)", "SELECT c FROM t WHERE b IN (SELECT y FROM u)");
  not_proved("SELECT typeof((SELECT min(y) FROM u WHERE u.x = t.c)) FROM t",
             "SELECT typeof((SELECT min(s.y) FROM (SELECT DISTINCT x, y FROM u) s WHERE s.x = t.c)) FROM t");
}

// BINARY compares the bytes of the database's encoding: in UTF-16le, U+0133 comes before 'z', and after '3'.
TEST_F(Soundness, OrderOfTextsInTheEncoding) {
  not_proved("SELECT b FROM t WHERE 'z' < '\u0133'", "SELECT b FROM t");
  not_proved("SELECT b FROM t WHERE b > 'z' AND b > '\u0133'", "SELECT b FROM t WHERE b > '\u0133'");
  not_proved("SELECT b FROM t WHERE b > 'z' AND b > '\u0133'", "SELECT b FROM t WHERE b > 'z'");
  not_proved("SELECT b FROM t WHERE b < 'z' AND b > '\u0133'", "SELECT b FROM t WHERE 0");
  not_proved("SELECT b FROM t WHERE b IN ('\u0133', 'a') AND b > 'z'", "SELECT b FROM t WHERE b = '\u0133'");
  not_proved("SELECT b FROM t WHERE '\u0133' BETWEEN 'a' AND b AND b > 'a'", "SELECT b FROM t WHERE '\u0133' <= b");
  not_proved("SELECT b FROM t WHERE b = '\u0133' AND b > 'z'", "SELECT b FROM t WHERE b = '\u0133'");
  not_proved("SELECT min('\u0133', 'z') FROM t", "SELECT 'z' FROM t");
  // Where ASCII characters make the difference, all encodings agree.
  const ProveOptions nothing;
  EXPECT_TRUE(
      prove(maker_.plan("SELECT b FROM t WHERE 'a\u0133' < 'b'"), maker_.plan("SELECT b FROM t"), nothing).proof);
  EXPECT_TRUE(prove(maker_.plan("SELECT b FROM t WHERE b > 'y' AND b > 'z'"),
                    maker_.plan("SELECT b FROM t WHERE b > 'z'"), nothing)
                  .proof);
  EXPECT_TRUE(prove(maker_.plan("SELECT b FROM t WHERE b = '\u0133' AND b = '\u0134'"),
                    maker_.plan("SELECT b FROM t WHERE 0"), nothing)
                  .proof);
}

// It is unspecified which SELECT gives a column of a compound query its affinity; here they have different ones.
TEST_F(Soundness, AffinitiesOfCompoundQueries) {
  not_proved(
      "SELECT count(*) FILTER (WHERE EXISTS (SELECT s.c FROM (SELECT '1' AS c UNION ALL SELECT v.b) s WHERE s.c = "
      "t.b)) FROM t, v",
      "SELECT count(*) FILTER (WHERE t.b IN (VALUES ('1'), (v.b))) FROM t, v");
  not_proved(
      "SELECT r FROM n WHERE r IN (SELECT s.m FROM (SELECT DISTINCT m, k FROM n) s WHERE s.k = 1)",
      "SELECT r FROM n WHERE r IN (SELECT s.m FROM (SELECT DISTINCT m, k FROM n) s WHERE s.k = 1 EXCEPT SELECT NULL)");
}

// SQLite takes the affinity from a column that VALUES passes through.
TEST_F(Soundness, ColumnsInValues) {
  not_proved("SELECT k FROM n WHERE EXISTS (SELECT 1 FROM u WHERE u.y = n.k)",
             "SELECT k FROM n WHERE EXISTS (SELECT 1 FROM u JOIN (VALUES (n.k)) AS s ON s.k = u.y)");
}

TEST_F(Soundness, UnaryPlusInValues) {
  not_proved("SELECT m FROM n, u WHERE y IN (VALUES (2), (m))", "SELECT m FROM n, u WHERE y IN (VALUES (2), (+m))");
}

// Inf - Inf is NULL.
TEST_F(Soundness, TotalsMayBeNull) {
  not_proved("SELECT k FROM n WHERE m NOT IN (SELECT total(x) FROM u)",
             "SELECT k FROM n WHERE NOT (m IN (SELECT total(x) FROM u EXCEPT SELECT NULL))");
  not_proved(
      "SELECT (SELECT total(y) FROM u WHERE u.x = n.k) FROM n",
      "SELECT coalesce(s.total, 0.0) FROM n LEFT JOIN (SELECT x, total(y) AS total FROM u GROUP BY x) s ON s.x = n.k");
  not_proved("SELECT k FROM n WHERE (SELECT total(x) FROM u) IS NULL", "SELECT k FROM n WHERE 0");
}

// IN gives its operand the affinity REAL, which turns the text of a large integer into another number.
TEST_F(Soundness, RealAffinityOfIn) {
  not_proved("SELECT r FROM n, t WHERE coalesce(t.b, t.b) <> n.r",
             "SELECT r FROM n, t WHERE coalesce(t.b, t.b) NOT IN (SELECT n.r)");
}

// Definitions of definitions, each as deep as SQLite allows.
TEST_F(Soundness, ExpressionsThatPileUp) {
  std::string sums;
  for (int i = 0; i < 900; ++i) sums += "+1";
  std::string tables = "WITH c0 AS (SELECT x FROM u)";
  for (int i = 1; i < 60; ++i) {
    tables += ", c" + std::to_string(i) + " AS (SELECT x" + sums + " AS x FROM c" + std::to_string(i - 1) + ")";
  }
  not_proved(tables + " SELECT x FROM c59", tables + " SELECT x * 3 FROM c59");
}

// Comparing the subqueries means comparing copies of them, and so on.
TEST_F(Soundness, SubqueriesWithinSubqueries) {
  not_proved("SELECT sum(c IN (SELECT min(x) FROM u)) FROM t", "SELECT sum(c < (SELECT min(x) FROM u)) FROM t");
  not_proved("SELECT sum(c IN (SELECT min(x) FROM u WHERE y IN (SELECT max(a) FROM v))) FROM t",
             "SELECT sum(c < (SELECT min(x) FROM u WHERE y < (SELECT max(a) FROM v))) FROM t");
}

}  // namespace
}  // namespace trustsql::equiv
