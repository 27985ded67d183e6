// Queries that differ in order and names alone have one form.
#include "semparse/examples/order_free.hpp"

#include <gtest/gtest.h>

#include <string>

namespace trustsql::semparse {
namespace {

bool are_same(std::string_view a, std::string_view b) {
  const bool forward = QueryMatcher(a).matches(b);
  EXPECT_EQ(forward, QueryMatcher(b).matches(a)) << a << "\n" << b;
  return forward;
}

TEST(OrderFreeForm, OrderAndNamesDoNotMatter) {
  EXPECT_TRUE(are_same("SELECT a FROM t WHERE b = 1 AND (c > 2 AND d = 'x')",
                       "select A from T where 'x' = D and 2 < C and B = 1"));
  EXPECT_TRUE(are_same("SELECT x.a FROM t AS x JOIN u AS y ON x.k = y.k WHERE y.b = 1",
                       "SELECT t.a FROM u, t WHERE t.k = u.k AND u.b = 1"));
  EXPECT_TRUE(are_same("SELECT a FROM t WHERE b IN ('p', 'q') GROUP BY c, d",
                       "SELECT a FROM t WHERE b IN (\"q\", \"p\") GROUP BY d, c"));
  EXPECT_TRUE(are_same("SELECT a FROM t WHERE b = 1 OR b = 2", "SELECT a FROM t WHERE b = 2 OR b = 1"));
  EXPECT_TRUE(are_same("SELECT a FROM t WHERE t.k IN (SELECT u.k FROM u WHERE u.b = t.b AND u.c = 1)",
                       "SELECT a FROM t AS x WHERE x.k IN (SELECT y.k FROM u AS y WHERE y.c = 1 AND y.b = x.b)"));
}

TEST(OrderFreeForm, TablesOfOneNameAreToldApartByTheirUse) {
  const std::string from = "SELECT f.id FROM f, city AS c0, city AS c1 WHERE ";
  EXPECT_TRUE(are_same(from + "f.start = c0.id AND c0.name = 'Rome' AND f.stop = c1.id AND c1.name = 'Oslo'",
                       from + "f.start = c1.id AND c1.name = 'Rome' AND f.stop = c0.id AND c0.name = 'Oslo'"));
  EXPECT_FALSE(are_same(from + "f.start = c0.id AND c0.name = 'Rome' AND f.stop = c1.id AND c1.name = 'Oslo'",
                        from + "f.start = c0.id AND c0.name = 'Oslo' AND f.stop = c1.id AND c1.name = 'Rome'"));
  // Nothing tells these two apart.
  EXPECT_TRUE(are_same("SELECT count(*) FROM t AS a, t AS b WHERE a.x = b.x AND a.y = 1 AND b.y = 1",
                       "SELECT count(*) FROM t AS b, t AS a WHERE b.y = 1 AND b.x = a.x AND a.y = 1"));
}

TEST(OrderFreeForm, WhatMattersIsKept) {
  EXPECT_FALSE(are_same("SELECT a, b FROM t", "SELECT b, a FROM t"));
  EXPECT_FALSE(are_same("SELECT a FROM t WHERE b < 1", "SELECT a FROM t WHERE b > 1"));
  EXPECT_FALSE(are_same("SELECT a FROM t WHERE a < b", "SELECT a FROM t WHERE b < a"));
  EXPECT_FALSE(are_same("SELECT a FROM t ORDER BY b, c", "SELECT a FROM t ORDER BY c, b"));
  EXPECT_FALSE(are_same("SELECT a - b FROM t", "SELECT b - a FROM t"));
  EXPECT_FALSE(are_same("SELECT a FROM t WHERE b = 'x'", "SELECT a FROM t WHERE b = 'X'"));
  EXPECT_FALSE(
      are_same("SELECT a FROM t WHERE b = 1 OR c = 2 AND d = 3", "SELECT a FROM t WHERE (b = 1 OR c = 2) AND d = 3"));
  EXPECT_FALSE(are_same("SELECT t.a FROM t LEFT JOIN u ON t.k = u.k", "SELECT t.a FROM u LEFT JOIN t ON t.k = u.k"));
  EXPECT_FALSE(are_same("SELECT * FROM t, u", "SELECT * FROM u, t"));
  EXPECT_FALSE(are_same("SELECT a FROM t EXCEPT SELECT a FROM u", "SELECT a FROM u EXCEPT SELECT a FROM t"));
  // An alias of the outer query that the inner one hides.
  EXPECT_FALSE(are_same("SELECT x.a FROM t AS x WHERE EXISTS (SELECT 1 FROM u AS x WHERE x.b = 1)",
                        "SELECT x.a FROM t AS x WHERE EXISTS (SELECT 1 FROM u AS y WHERE x.b = 1)"));
}

TEST(OrderFreeForm, WhatIsNoQueryMatchesItselfAtMost) {
  EXPECT_FALSE(order_free_form("DROP TABLE t"));
  EXPECT_FALSE(order_free_form(""));
  EXPECT_FALSE(QueryMatcher("").matches("SELECT 1"));
  EXPECT_FALSE(QueryMatcher("WITH w AS (SELECT 1) SELECT * FROM w").matches("SELECT 1 FROM w"));
  EXPECT_TRUE(QueryMatcher("WITH w AS (SELECT 1) SELECT * FROM w").matches("with W as (select 1) select * from W;"));
}

TEST(OrderFreeForm, IsTheFormOfItself) {
  const auto form = order_free_form("SELECT x.a FROM t AS x, (SELECT u.k FROM u) AS y WHERE y.k > x.k AND x.b = 1");
  ASSERT_TRUE(form);
  const auto again = order_free_form(form->text);
  ASSERT_TRUE(again);
  EXPECT_TRUE(QueryMatcher(form->text).matches(again->text));
}

}  // namespace
}  // namespace trustsql::semparse
