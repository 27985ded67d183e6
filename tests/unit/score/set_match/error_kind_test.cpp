// The kinds of errors of DART-SQL's Table 4.
#include "score/set_match/error_kind.hpp"

#include <gtest/gtest.h>

#include <string>

#include "sql/parser.hpp"

namespace trustsql {
namespace {

std::string kind(std::string_view gold, std::string_view prediction) {
  const auto a = parse_query(gold);
  const auto b = parse_query(prediction);
  EXPECT_TRUE(a.ok() && b.ok());
  const auto kind = error_kind(*a, *b);
  EXPECT_EQ(kind, error_kind(*b, *a)) << "which is the gold query does not matter";
  return kind ? std::string(error_kind_name(*kind)) : "none";
}

TEST(ErrorKind, NoDifference) {
  EXPECT_EQ(kind("SELECT a FROM t", "select A from T"), "none");
  EXPECT_EQ(kind("SELECT x.a FROM t AS x WHERE x.b = 1 AND x.c < 2", "SELECT a FROM t WHERE 2 > c AND 1 = b"), "none");
  EXPECT_EQ(kind("SELECT T1.a FROM t AS T1 JOIN u AS T2 ON T1.i = T2.i", "SELECT t.a FROM u JOIN t ON u.i = t.i"),
            "none");
  EXPECT_EQ(kind("SELECT t.a FROM t JOIN u ON t.i = u.i", "SELECT a FROM t, u WHERE t.i = u.i"), "none");
  EXPECT_EQ(kind("SELECT a, b FROM t", "SELECT b, a FROM t"), "none");
  EXPECT_EQ(kind("SELECT a FROM t WHERE b = \"x\"", "SELECT a FROM t WHERE b = 'x'"), "none");
  EXPECT_EQ(
      kind("SELECT count(*) AS n FROM t GROUP BY a ORDER BY n", "SELECT count(*) FROM t GROUP BY a ORDER BY count(*)"),
      "none");
  EXPECT_EQ(kind("SELECT a, b FROM t ORDER BY 2", "SELECT a, b FROM t ORDER BY b"), "none");
}

TEST(ErrorKind, Values) {
  EXPECT_EQ(kind("SELECT a FROM t WHERE b = 'france'", "SELECT a FROM t WHERE b = 'France'"), "values");
  EXPECT_EQ(kind("SELECT a FROM t ORDER BY b LIMIT 1", "SELECT a FROM t ORDER BY b LIMIT 3"), "values");
  EXPECT_EQ(kind("SELECT a FROM t WHERE b IN (SELECT c FROM u WHERE d = 1)",
                 "SELECT a FROM t WHERE b IN (SELECT c FROM u WHERE d = 2)"),
            "values");
}

TEST(ErrorKind, WhatBelongsTogether) {
  EXPECT_EQ(kind("SELECT a FROM t WHERE b = 1 AND c = 2", "SELECT a FROM t WHERE b = 2 AND c = 1"), "values");
  EXPECT_EQ(kind("SELECT a FROM t WHERE b < 1 INTERSECT SELECT a FROM t WHERE b > 2",
                 "SELECT a FROM t WHERE b > 1 INTERSECT SELECT a FROM t WHERE b < 2"),
            "conditions");
}

TEST(ErrorKind, Conditions) {
  EXPECT_EQ(kind("SELECT a FROM t WHERE b = 1", "SELECT a FROM t WHERE b > 1"), "conditions");
  EXPECT_EQ(kind("SELECT a FROM t WHERE b = 1", "SELECT a FROM t"), "conditions");
  EXPECT_EQ(kind("SELECT a FROM t WHERE b = 1", "SELECT a FROM t WHERE c = 1"), "conditions");
  EXPECT_EQ(kind("SELECT a FROM t WHERE b = 1 OR c = 2", "SELECT a FROM t WHERE b = 1 AND c = 2"), "conditions");
  EXPECT_EQ(kind("SELECT a FROM t GROUP BY a HAVING count(*) > 1", "SELECT a FROM t GROUP BY a HAVING count(*) >= 1"),
            "conditions");
  EXPECT_EQ(kind("SELECT a FROM t WHERE b NOT IN (SELECT c FROM u)", "SELECT a FROM t WHERE b IN (SELECT d FROM u)"),
            "conditions");
}

TEST(ErrorKind, TableColumn) {
  EXPECT_EQ(kind("SELECT a FROM t WHERE b = 1", "SELECT c FROM t WHERE b = 1"), "table/column");
  EXPECT_EQ(kind("SELECT a FROM t", "SELECT a, b FROM t"), "table/column");
  EXPECT_EQ(kind("SELECT a FROM t", "SELECT a FROM u"), "table/column");
  EXPECT_EQ(kind("SELECT a FROM t", "SELECT * FROM t"), "table/column");
  EXPECT_EQ(kind("SELECT t.a FROM t JOIN u ON t.i = u.i", "SELECT u.a FROM t JOIN u ON t.i = u.i"), "table/column");
  EXPECT_EQ(kind("SELECT t.a FROM t JOIN u ON t.i = u.i", "SELECT t.a FROM t JOIN u ON t.i = u.j"), "table/column");
  EXPECT_EQ(kind("SELECT t.a FROM t JOIN u ON t.i = u.i WHERE u.b = 1", "SELECT a FROM t WHERE b = 1"), "table/column");
  EXPECT_EQ(kind("SELECT max(a) FROM t", "SELECT max(b) FROM t"), "table/column");
  EXPECT_EQ(kind("SELECT a FROM t ORDER BY b", "SELECT a FROM t ORDER BY c"), "table/column");
  EXPECT_EQ(kind("SELECT x.a FROM t AS x JOIN t AS y ON x.i = y.j", "SELECT y.a FROM t AS x JOIN t AS y ON x.i = y.j"),
            "table/column");
}

TEST(ErrorKind, Others) {
  EXPECT_EQ(kind("SELECT max(a) FROM t", "SELECT min(a) FROM t"), "others");
  EXPECT_EQ(kind("SELECT a FROM t", "SELECT DISTINCT a FROM t"), "others");
  EXPECT_EQ(kind("SELECT a FROM t UNION SELECT b FROM u", "SELECT a FROM t INTERSECT SELECT b FROM u"), "others");
  EXPECT_EQ(kind("SELECT a FROM t ORDER BY b", "SELECT a FROM t ORDER BY b DESC"), "others");
  EXPECT_EQ(kind("SELECT a FROM t ORDER BY b LIMIT 1", "SELECT a FROM t ORDER BY b"), "others");
  EXPECT_EQ(kind("SELECT a FROM t LEFT JOIN u USING (i)", "SELECT a FROM t JOIN u USING (i)"), "others");
  EXPECT_EQ(kind("SELECT a FROM t WHERE b = 1", "SELECT c FROM t WHERE b > 1"), "others") << "columns and conditions";
}

}  // namespace
}  // namespace trustsql
