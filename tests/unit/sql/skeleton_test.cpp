#include "sql/skeleton.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <set>

#include "sql/parser.hpp"
#include "sql/printer.hpp"
#include "unit/sql/real_queries.hpp"

namespace trustsql {
namespace {

std::string skeleton(std::string_view sql) {
  const auto parsed = parse_query(sql);
  if (!parsed.ok()) return parsed.error().message;
  const auto skeleton = query_skeleton(*parsed);
  return skeleton.ok() ? *skeleton : skeleton.error().message;
}

TEST(Skeleton, ValuesBecomePlaceholders) {
  EXPECT_EQ(skeleton("SELECT a FROM t WHERE b = 'x' AND c > -1.5 OR d IN (1, 'y', -2) LIMIT 3"),
            "SELECT a FROM t WHERE b = ? AND c > ? OR d IN (?) LIMIT ?");
  EXPECT_EQ(skeleton("SELECT a FROM t WHERE b = \"x\" AND \"c\" = 'y' AND d LIKE \"%z\" AND \"e\" = f"),
            "SELECT a FROM t WHERE b = ? AND c = ? AND d LIKE ? AND ? = f");
  EXPECT_EQ(skeleton("SELECT replace(a, \"x y\", ''), \"b\" FROM t"), "SELECT replace(a, ?, ?), b FROM t");
}

TEST(Skeleton, WhatIsNoDataStays) {
  EXPECT_EQ(skeleton("SELECT a, strftime('%Y', b) FROM t WHERE c IS NULL GROUP BY 1 ORDER BY 2 DESC"),
            "SELECT a, strftime('%Y', b) FROM t WHERE c IS NULL GROUP BY 1 ORDER BY 2 DESC");
}

TEST(Skeleton, SpellingAndAliasesDoNotMatter) {
  const auto same = [](std::string_view a, std::string_view b) { EXPECT_EQ(skeleton(a), skeleton(b)); };
  same("SELECT T1.Name FROM Singer AS T1 JOIN concert T2 ON T1.ID = T2.sid WHERE T2.year == 2014",
       "select x.name as n from singer x inner join concert on x.id=concert.sid where [concert].Year = 1999");
  same("SELECT a FROM t LIMIT 1, 2", "SELECT a FROM t LIMIT 2 OFFSET 1");
  same("SELECT CAST(a AS REAL) FROM t ORDER BY b COLLATE NOCASE",
       "SELECT cast(A AS real) FROM T ORDER BY B COLLATE nocase");
  same("SELECT name FROM singer WHERE age > 30", "SELECT T1.name FROM singer AS T1 WHERE T1.age > 20");
  same("SELECT count(*) AS n, a FROM t GROUP BY a ORDER BY n",
       "SELECT count(*), a FROM t GROUP BY a ORDER BY count(*)");
  same("SELECT a, count(*) FROM t GROUP BY a HAVING count(*) > 3",
       "SELECT a, count(*) AS n FROM t GROUP BY a HAVING n > 3");
  same("SELECT n FROM (SELECT a, count(*) AS n FROM t GROUP BY a) AS x WHERE x.n > 1",
       "SELECT y.m FROM (SELECT a, count(*) m FROM t GROUP BY a) y WHERE m > 9");
  same("WITH x AS (SELECT a AS p, b + 1 AS q FROM t) SELECT p FROM x WHERE q = 1",
       "WITH z AS (SELECT a, b + 2 AS r FROM t) SELECT z.a FROM z WHERE z.r = 5");
  same("SELECT y FROM (SELECT x.b AS y FROM (SELECT a AS b FROM t) AS x) AS z",
       "SELECT a FROM (SELECT a FROM (SELECT a FROM t))");
  same("WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n) SELECT i FROM n",
       "WITH RECURSIVE k AS (SELECT 1 AS j UNION ALL SELECT k.j + 1 FROM k) SELECT j FROM k");
  same("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n",
       "WITH RECURSIVE k(j) AS (SELECT 1 UNION ALL SELECT k.j + 1 FROM k) SELECT j FROM k");
}

TEST(Skeleton, DifferentStructuresDiffer) {
  const auto differ = [](std::string_view a, std::string_view b) { EXPECT_NE(skeleton(a), skeleton(b)); };
  differ("SELECT a FROM t WHERE b = 1", "SELECT a FROM t WHERE c = 1");
  differ("SELECT a FROM t WHERE b = 1", "SELECT a FROM t WHERE b > 1");
  differ("SELECT a FROM t", "SELECT a FROM u");
  differ("SELECT max(age) AS age FROM t WHERE age > 3", "SELECT max(age) FROM t WHERE max(age) > 3");
  differ("SELECT x.a FROM t AS x JOIN t AS y ON x.b = y.c", "SELECT y.a FROM t AS x JOIN t AS y ON x.b = y.c");
}

TEST(Skeleton, NamesOfRepeatedTables) {
  EXPECT_EQ(skeleton("SELECT A.x FROM t A JOIN t B ON A.x = B.y WHERE EXISTS (SELECT 1 FROM t C WHERE C.z = A.z)"),
            "SELECT t.x FROM t JOIN t AS t_2 ON t.x = t_2.y WHERE EXISTS (SELECT ? FROM t AS t_3 WHERE z = t.z)");
  EXPECT_EQ(skeleton("SELECT a FROM t UNION SELECT b AS c FROM u ORDER BY a"),
            "SELECT a FROM t UNION SELECT b FROM u ORDER BY a");
  EXPECT_EQ(skeleton("SELECT max(a) OVER W FROM t WINDOW W AS (ORDER BY B)"),
            "SELECT max(a) OVER w1 FROM t WINDOW w1 AS (ORDER BY b)");
}

// Each mention of an alias copies its expression.
TEST(Skeleton, LongTextsEndInTime) {
  std::string items = "SELECT 1", mentions = "0", tables = "WITH t0 AS (SELECT 1)";
  for (int i = 0; i < 20'000; ++i) items += ", x", mentions += ", y";
  for (int i = 1; i < 20'000; ++i) tables += ", t" + std::to_string(i) + " AS (SELECT 1)";
  EXPECT_EQ(skeleton("SELECT f(" + mentions + ") AS x FROM t WHERE z IN (" + items.substr(10) + ")"),
            "the aliases of the query stand for expressions that are too long");
  EXPECT_EQ(skeleton(items + " FROM t").substr(0, 14), "SELECT ?, x, x");
  EXPECT_EQ(skeleton(tables + " SELECT * FROM t19999").substr(0, 24), "WITH cte_1 AS (SELECT ?)");
}

TEST(Skeleton, KeywordsAsNamesAreQuotedWhereTheyMustBe) {
  EXPECT_EQ(skeleton("SELECT T1.x FROM CAST AS T1 JOIN u ON T1.y = u.y"),
            "SELECT \"cast\".x FROM \"cast\" JOIN u ON \"cast\".y = u.y");
  EXPECT_EQ(skeleton("SELECT replace(\"select\", x, TRUE) FROM t"), "SELECT replace(`select`, x, true) FROM t");
}

TEST(Skeleton, IsItsOwnSkeleton) {
  for (const char* const sql :
       {"SELECT A.x, count(*) n FROM t A, t B WHERE A.y IN (1, 2) GROUP BY 1 ORDER BY n LIMIT 5",
        "WITH c AS (SELECT a + 1 AS b FROM t) SELECT * FROM c JOIN (SELECT b k, b l FROM c) d ON c.b = d.k"}) {
    EXPECT_EQ(skeleton(skeleton(sql)), skeleton(sql));
  }
}

// The skeleton of a real query is a query, the same after being printed otherwise, and its own skeleton. Every tenth
// query; all with TRUSTSQL_TEST_SLOW=1 (32,593, of 14,361 skeletons).
TEST(SkeletonData, OfEveryRealQuery) {
  if (!testing_data::data_folder()) GTEST_SKIP() << "no development data";
  std::size_t count = 0;
  std::set<std::string> skeletons;
  const auto queries = testing_data::real_queries();
  const std::size_t step = std::getenv("TRUSTSQL_TEST_SLOW") != nullptr ? 1 : 10;
  for (std::size_t i = 0; i < queries.size(); i += step) {
    const auto& sql = queries[i].sql;
    const auto parsed = parse_query(sql);
    if (!parsed.ok()) continue;
    const auto structure = query_skeleton(*parsed);
    ASSERT_TRUE(structure.ok()) << sql;
    EXPECT_EQ(skeleton(*structure), *structure) << sql;
    EXPECT_EQ(skeleton(print_query(*parsed, PrintStyle::pretty)), *structure) << sql;
    skeletons.insert(*structure);
    ++count;
  }
  std::cout << count << " queries, " << skeletons.size() << " skeletons\n";
  EXPECT_LT(skeletons.size(), count);
}

}  // namespace
}  // namespace trustsql
