#include "score/execution/spider_text.hpp"

#include <gtest/gtest.h>

namespace trustsql {
namespace {

std::string dropped(std::string_view sql) { return spider_gold(sql, SpiderDistinct::drop).sql; }
std::string kept(std::string_view sql) { return spider_prediction(sql, SpiderDistinct::keep); }
bool order_matters(std::string_view sql, SpiderDistinct distinct = SpiderDistinct::keep) {
  return spider_gold(sql, distinct).order_matters;
}

TEST(SpiderText, TheLettersValueBecomeOneInThePredictionOnly) {
  EXPECT_EQ(kept("SELECT a FROM t WHERE b = value AND values_2 = 'value' AND VALUE = 2"),
            "SELECT a FROM t WHERE b = 1 AND 1s_2 = '1' AND VALUE = 2");
  EXPECT_EQ(dropped("SELECT value"), "SELECT value");
}

TEST(SpiderText, SplitOperatorsAreJoinedInStringsToo) {
  EXPECT_EQ(kept("a > = 1 AND b < = '! =' AND c ! = 2 AND d > = = 3"), "a >= 1 AND b <= '!=' AND c != 2 AND d >= = 3");
  EXPECT_EQ(dropped("a >  = 1"), "a >  = 1");
}

TEST(SpiderText, DistinctIsDroppedAsAToken) {
  EXPECT_EQ(dropped("SELECT DISTINCT a, count(distinct b) FROM t"), "SELECT  a, count( b) FROM t");
  EXPECT_EQ(dropped("SELECT Distinct(a)"), "SELECT (a)");
  // Each of these was run through sqlparse 0.4.2 as well.
  for (const auto* sql :
       {"SELECT \"distinct\", 'distinct', `distinct`, [distinct], distinct_1, :distinct FROM t -- distinct\n",
        "SELECT /* distinct */ a", "SELECT a FROM t WHERE b = 'it''s distinct'", "SELECT mydistinct, distinct$1"})
    EXPECT_EQ(dropped(sql), sql);
}

TEST(SpiderText, OfSeveralStatementsTheFirstRemains) {
  EXPECT_EQ(dropped("SELECT DISTINCT a; SELECT b"), "SELECT  a;");
  EXPECT_EQ(dropped("SELECT ';' ; x"), "SELECT ';' ;");
  EXPECT_EQ(spider_gold("SELECT a; SELECT b", SpiderDistinct::keep).sql, "SELECT a; SELECT b");
}

// What sqlparse 0.4.2 gives for these, where a backslash stands before a quote.
TEST(SpiderText, BackslashesEscapeQuotesAsInSqlparse) {
  EXPECT_EQ(dropped(R"(SELECT a FROM t WHERE b LIKE 'x\' AND c IN (SELECT DISTINCT d FROM u WHERE e = 'f'))"),
            R"(SELECT a FROM t WHERE b LIKE 'x\' AND c IN (SELECT DISTINCT d FROM u WHERE e = 'f'))");
  EXPECT_EQ(dropped(R"(SELECT DISTINCT a FROM t WHERE b LIKE 'x' ESCAPE '\' AND c = count(DISTINCT d))"),
            R"(SELECT  a FROM t WHERE b LIKE 'x' ESCAPE '\' AND c = count( d))");
  EXPECT_EQ(dropped("SELECT 'a'' DISTINCT"),
            "SELECT 'a'' ");  // never closed: the last place at which it could have been
}

TEST(SpiderText, OrderMattersWhereverTheLettersStand) {
  EXPECT_TRUE(order_matters("SELECT a FROM t Order By a"));
  EXPECT_TRUE(order_matters("SELECT * FROM (SELECT a FROM t ORDER BY a LIMIT 1)"));
  EXPECT_TRUE(order_matters("SELECT 'order by'"));
  EXPECT_FALSE(order_matters("SELECT a FROM t ORDER  BY a"));
  EXPECT_FALSE(order_matters("SELECT a FROM t ORDER\nBY a"));
  // Checked after the other statements were dropped.
  EXPECT_FALSE(order_matters("SELECT a FROM t; SELECT b FROM t ORDER BY b", SpiderDistinct::drop));
  EXPECT_TRUE(order_matters("SELECT a FROM t; SELECT b FROM t ORDER BY b", SpiderDistinct::keep));
}

TEST(SpiderText, TheCurrentYearIs2020) {
  EXPECT_EQ(kept("SELECT YEAR(CURDATE())-b"), "SELECT 2020-b");
  EXPECT_EQ(kept("SELECT year ( curdate\n( ) )  - b"), "SELECT 2020- b");
  EXPECT_EQ(kept("SELECT a WHERE b = YEAR(CURDATE()) AND c"), "SELECT a WHERE b = 2020AND c");
  EXPECT_EQ(kept("SELECT YEAR(CURDATE()), MYYEAR(CURDATE())"), "SELECT 2020, MY2020");
  EXPECT_EQ(kept("SELECT CURDATE(), YEAR(a)"), "SELECT CURDATE(), YEAR(a)");
}

}  // namespace
}  // namespace trustsql
