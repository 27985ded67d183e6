// How far queries and views expand.
#include "db/sandbox/expansion.hpp"

#include <gtest/gtest.h>

#include <string>

namespace trustsql {
namespace {

std::uint64_t selects_of(std::string_view sql) { return expansion_of(sql).selects; }

TEST(Expansion, CommonTablesCountOnceForEachUse) {
  EXPECT_EQ(selects_of("SELECT a FROM t"), 1U);
  EXPECT_EQ(selects_of("SELECT a FROM t UNION SELECT (SELECT max(b) FROM u) FROM t"), 3U);
  EXPECT_EQ(selects_of("WITH c AS (SELECT 1 AS a) SELECT c.a, c.a AS c FROM c"), 2U);
  EXPECT_EQ(selects_of("WITH c(a) AS NOT MATERIALIZED (SELECT 1) SELECT x.a FROM c AS x JOIN c, (c)"), 4U);
  EXPECT_EQ(selects_of("WITH c AS (SELECT 1 AS a) SELECT a FROM t WHERE a IN c AND a IN (SELECT a FROM c)"), 4U);
  EXPECT_EQ(selects_of("WITH c AS (VALUES (1)) SELECT 1 FROM main.c"), 1U);
  EXPECT_EQ(selects_of("WITH c AS (SELECT 1) SELECT 2"), 1U);
}

TEST(Expansion, CommonTablesReferToEachOtherInAnyOrder) {
  EXPECT_EQ(selects_of("WITH a AS (SELECT 1 FROM b, b), b AS (SELECT 1 FROM c, c), c AS (SELECT 1) SELECT 1 FROM a"),
            8U);
  EXPECT_EQ(selects_of("WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT n FROM r"), 3U);
  // The inner one holds in its parentheses only.
  EXPECT_EQ(selects_of("WITH c AS (SELECT 1 FROM (SELECT 2)) SELECT 1 FROM (WITH c AS (SELECT 3) SELECT 1 FROM c), c"),
            5U);
}

TEST(Expansion, NamesOfColumnsAreNoTables) {
  EXPECT_EQ(selects_of("WITH c AS (SELECT 1 AS c) SELECT c, c IS DISTINCT FROM c, f(c, c) FROM c ORDER BY c, c"), 2U);
}

TEST(Expansion, StarsStandForTheColumnsOfTheirTables) {
  ViewExpansions views;
  views.add_table("wide", 1'000);
  views.add("v0", "CREATE VIEW v0 AS SELECT * FROM wide");
  for (int i = 1; i <= 12; ++i) {
    const std::string below = " v" + std::to_string(i - 1);
    views.add("v" + std::to_string(i), "CREATE VIEW v AS SELECT x.c0 FROM" + below + " x," + below + " y");
  }
  const auto refused = views.expand();
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.error().message.find("columns"), std::string::npos);
  EXPECT_EQ(expansion_of("SELECT a, f(b, c), d FROM (SELECT 1, 2, 3, 4, 5 UNION SELECT 6, 7, 8, 9, 0) JOIN u").columns,
            3U);
  EXPECT_EQ(expansion_of("WITH c AS (SELECT 1, 2, 3) SELECT *, y.* FROM c x, (SELECT 4, 5) y").columns, 12U);
  EXPECT_EQ(expansion_of("WITH c AS (SELECT 1, 2, 3) SELECT * FROM (c x JOIN (c y JOIN (SELECT 4) z))").columns, 8U);
}

TEST(Expansion, MentionsMultiplyWhatASubqueryLists) {
  const auto chain = [](const std::string& item, int levels) {
    std::string sql = "SELECT a FROM t";
    for (int i = 0; i < levels; ++i) sql = "SELECT " + item + " AS a FROM (" + sql + ")";
    return expansion_of(sql);
  };
  EXPECT_LT(chain("a", 50).nodes, 1'000U);
  EXPECT_GT(chain("a + a", 10).nodes, 1'000U);
  EXPECT_GT(chain("a + a + a + a", 10).nodes, 1'000'000U);
  EXPECT_EQ(chain("a + a + a + a", 10).mentions, 4U);
}

TEST(Expansion, OnlyNamesOfColumnsAreMentions) {
  EXPECT_EQ(
      expansion_of("SELECT f(a), f(b), f(c), 'x', 'x', 'x', CASE t.d WHEN 1 THEN 2 END, CASE t.e WHEN 1 THEN 2 END, "
                   "CAST(t.g AS text), CAST(t.h AS text) AS text FROM t")
          .mentions,
      1U);
  EXPECT_EQ(expansion_of("SELECT a, t.a, \"a\" FROM t WHERE [A] > (SELECT max(b + a) FROM u)").mentions, 5U);
}

TEST(Expansion, ViewsExpandWhatReadsThem) {
  ViewExpansions views;
  views.add("V", "CREATE VIEW V AS SELECT 1 FROM w, w");
  views.add("w", "CREATE VIEW w AS SELECT 1 FROM t");
  views.add("x", "CREATE VIEW x AS SELECT 1 FROM y");  // a circle, which SQLite rejects
  views.add("y", "CREATE VIEW y AS SELECT 1 FROM x");
  ASSERT_TRUE(views.expand().ok());
  const auto reading = [](int times) {
    std::string sql = "SELECT 1 FROM v";
    for (int i = 1; i < times; ++i) sql += ", main.v";
    return sql;
  };
  EXPECT_TRUE(views.copies_in(reading(3'000)).ok());
  EXPECT_FALSE(views.copies_in(reading(4'000)).ok());
}

}  // namespace
}  // namespace trustsql
