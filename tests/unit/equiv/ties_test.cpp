// The assumption that both queries take tied rows in the same order: what it proves, and what it must not.
#include <gtest/gtest.h>

#include <algorithm>

#include "equiv/prover.hpp"
#include "unit/plan/plan_of.hpp"

namespace trustsql::equiv {
namespace {

using plan::Assume;
using plan::Assumption;

class Ties : public testing::Test {
 protected:
  std::optional<Proof> prove_assuming(const std::string& a, const std::string& b, bool ties) const {
    auto assume = Assume::nothing();
    assume.ties = ties;
    return prove(maker_.plan(a), maker_.plan(b), {.assume = assume}).proof;
  }

  // Proved under the assumption, which is listed, and only under it.
  void needs_ties(const std::string& a, const std::string& b) const {
    for (const auto& [first, second] : {std::pair(a, b), std::pair(b, a)}) {
      EXPECT_FALSE(prove_assuming(first, second, false)) << first << "\n" << second;
      const auto proof = prove_assuming(first, second, true);
      ASSERT_TRUE(proof) << first << "\n" << second;
      EXPECT_TRUE(std::ranges::any_of(proof->assumptions, [](const Assumption& each) {
        return each.kind == Assumption::Kind::same_ties;
      })) << first;
    }
  }

  void not_proved(const std::string& a, const std::string& b) const {
    for (const auto& [first, second] : {std::pair(a, b), std::pair(b, a)}) {
      EXPECT_FALSE(prove(maker_.plan(first), maker_.plan(second), {.assume = Assume::everything()}).proof)
          << first << "\n"
          << second;
    }
  }

  testing_support::PlanMaker maker_{R"(
    CREATE TABLE t(id INTEGER PRIMARY KEY, a INT, b INT, name TEXT, code TEXT COLLATE NOCASE);
    CREATE TABLE u(id INTEGER PRIMARY KEY, t_id INT NOT NULL, c INT);
  )"};
};

TEST_F(Ties, Limits) {
  needs_ties("SELECT a FROM t LIMIT 2", "SELECT x.a FROM t AS x LIMIT 2");
  needs_ties("SELECT name FROM t ORDER BY a LIMIT 1", "SELECT name FROM (SELECT * FROM t) ORDER BY a LIMIT 1");
  needs_ties("SELECT name FROM t WHERE a > 1 AND b > 2 ORDER BY a DESC LIMIT 1",
             "SELECT name FROM (SELECT * FROM t WHERE b > 2) WHERE 1 < a ORDER BY a DESC LIMIT 1");
  needs_ties("SELECT t.name FROM t JOIN u ON t.id = u.t_id GROUP BY t.id ORDER BY count(*) DESC LIMIT 1",
             "SELECT t.name FROM u JOIN t ON u.t_id = t.id GROUP BY u.t_id ORDER BY count(u.t_id) DESC LIMIT 1");
  needs_ties(
      "SELECT c FROM u WHERE t_id IN (SELECT id FROM t ORDER BY a LIMIT 3)",
      "SELECT c FROM u WHERE EXISTS (SELECT 1 FROM (SELECT id FROM t ORDER BY a LIMIT 3) AS x WHERE x.id = t_id)");
  // Which columns are returned does not matter.
  needs_ties("SELECT name FROM (SELECT name, a, b FROM t ORDER BY a LIMIT 3)", "SELECT name FROM t ORDER BY a LIMIT 3");
}

TEST_F(Ties, OtherLimits) {
  not_proved("SELECT a FROM t LIMIT 2", "SELECT a FROM t LIMIT 3");
  not_proved("SELECT a FROM t LIMIT 2", "SELECT a FROM t LIMIT 2 OFFSET 1");
  not_proved("SELECT a FROM t LIMIT 2", "SELECT a FROM t WHERE a = a LIMIT 2");
  not_proved("SELECT a FROM t LIMIT 2", "SELECT a FROM t ORDER BY b LIMIT 2");
  not_proved("SELECT name FROM t ORDER BY a LIMIT 1", "SELECT name FROM t ORDER BY b LIMIT 1");
  not_proved("SELECT name FROM t ORDER BY a LIMIT 1", "SELECT name FROM t ORDER BY a DESC LIMIT 1");
  not_proved("SELECT name FROM t ORDER BY a LIMIT 1", "SELECT name FROM t ORDER BY a, b LIMIT 1");
  not_proved("SELECT name FROM t ORDER BY a LIMIT 1", "SELECT name FROM t ORDER BY a NULLS LAST LIMIT 1");
  not_proved("SELECT name FROM t ORDER BY name LIMIT 1", "SELECT name FROM t ORDER BY name COLLATE NOCASE LIMIT 1");
  // A part of the rows may be ordered in another way than all of them.
  not_proved("SELECT a FROM (SELECT a, b FROM t LIMIT 5) WHERE b = 1", "SELECT a FROM t WHERE b = 1 LIMIT 5");
  not_proved("SELECT a FROM t LIMIT 1", "SELECT a FROM (SELECT DISTINCT a FROM t) LIMIT 1");
  not_proved("SELECT name FROM t ORDER BY a LIMIT 1", "SELECT name FROM t WHERE a = (SELECT min(a) FROM t) LIMIT 1");
  not_proved("SELECT name FROM t ORDER BY a LIMIT 1",
             "SELECT t.name FROM t JOIN u ON u.t_id = t.id ORDER BY a LIMIT 1");
}

// An order that was asked for below.
TEST_F(Ties, OrdersOfSubqueries) {
  not_proved("SELECT a FROM (SELECT a FROM t ORDER BY b) WHERE a > 1 LIMIT 1",
             "SELECT a FROM (SELECT a FROM t ORDER BY name) WHERE a > 1 LIMIT 1");
  not_proved("SELECT group_concat(a) FROM (SELECT a FROM t ORDER BY b)",
             "SELECT group_concat(a) FROM (SELECT a FROM t ORDER BY name)");
  not_proved("SELECT group_concat(a) FROM (SELECT a FROM t ORDER BY b)", "SELECT group_concat(a) FROM t");
  not_proved("SELECT a, row_number() OVER () FROM (SELECT a FROM t ORDER BY b)",
             "SELECT a, row_number() OVER () FROM (SELECT a FROM t ORDER BY name)");
  // Rules remove the sort, and SQLite may not.
  not_proved("SELECT group_concat(s.a) FROM (SELECT * FROM t ORDER BY b) AS s, u",
             "SELECT group_concat(s.a) FROM t AS s, u");
  not_proved("SELECT s.a FROM u, (SELECT * FROM t ORDER BY b) AS s LIMIT 1", "SELECT s.a FROM t AS s, u LIMIT 1");
  not_proved("SELECT a, name FROM (SELECT * FROM t ORDER BY b) GROUP BY name", "SELECT a, name FROM t GROUP BY name");
  not_proved("SELECT a, name, max(b) FROM (SELECT * FROM t ORDER BY a) GROUP BY name",
             "SELECT a, name, max(b) FROM t GROUP BY name");
  not_proved("SELECT a, name FROM (SELECT * FROM t ORDER BY b LIMIT -1) GROUP BY name",
             "SELECT a, name FROM t GROUP BY name");
  not_proved("SELECT a FROM (SELECT * FROM t ORDER BY b) UNION ALL SELECT c FROM u LIMIT 1",
             "SELECT a FROM t UNION ALL SELECT c FROM u LIMIT 1");
  // The order of the subquery is the one that decides, or the same.
  needs_ties("SELECT a FROM (SELECT a, b FROM t ORDER BY b) ORDER BY b LIMIT 2", "SELECT a FROM t ORDER BY b LIMIT 2");
  needs_ties("SELECT z FROM (SELECT a + 1 AS z, b FROM (SELECT a, b FROM t ORDER BY b)) ORDER BY b LIMIT 2",
             "SELECT a + 1 FROM t ORDER BY b LIMIT 2");
  not_proved("SELECT a FROM (SELECT a, b, name FROM t ORDER BY name) ORDER BY b LIMIT 2",
             "SELECT a FROM t ORDER BY b LIMIT 2");
  needs_ties("SELECT a FROM (SELECT a, b FROM t ORDER BY b) LIMIT 1", "SELECT a FROM t ORDER BY b LIMIT 1");
  needs_ties("SELECT a FROM (SELECT a FROM t ORDER BY b LIMIT 5) LIMIT 2", "SELECT a FROM t ORDER BY b LIMIT 2");
  needs_ties("SELECT name FROM (SELECT name, count(*) AS n FROM t GROUP BY name ORDER BY n DESC) LIMIT 1",
             "SELECT name FROM t GROUP BY name ORDER BY count(*) DESC LIMIT 1");
  needs_ties("SELECT a, b FROM (SELECT a, b FROM t ORDER BY b LIMIT 30) ORDER BY b LIMIT -1 OFFSET 20",
             "SELECT a, b FROM (SELECT a, b FROM t ORDER BY b LIMIT -1 OFFSET 20) ORDER BY b LIMIT 10");
  not_proved("SELECT a FROM (SELECT a, b FROM t ORDER BY b DESC LIMIT 30) ORDER BY b LIMIT -1 OFFSET 20",
             "SELECT a FROM (SELECT a, b FROM t ORDER BY b DESC LIMIT -1 OFFSET 20) ORDER BY b LIMIT 10");
  // SQLite puts groups in the order of their keys anyway, but not in another one.
  needs_ties("SELECT a, b, count(*) FROM (SELECT a, b FROM t ORDER BY a) GROUP BY a, b ORDER BY a LIMIT 2",
             "SELECT a, b, count(*) FROM t GROUP BY a, b ORDER BY a LIMIT 2");
  not_proved("SELECT a, b, count(*) FROM (SELECT a, b FROM t ORDER BY a DESC) GROUP BY a, b LIMIT 2",
             "SELECT a, b, count(*) FROM t GROUP BY a, b LIMIT 2");
  not_proved("SELECT a, b, count(*) FROM (SELECT a, b FROM t ORDER BY b, a) GROUP BY a, b LIMIT 2",
             "SELECT a, b, count(*) FROM t GROUP BY a, b LIMIT 2");
}

// SQLite reads the sides of an outer join in the order in which they are written.
// Groups and the rows of windows come in the order of the columns by which SQLite sorts them.
TEST_F(Ties, Groups) {
  needs_ties("SELECT a FROM t GROUP BY a ORDER BY count(*) DESC LIMIT 1",
             "SELECT x.a FROM t AS x GROUP BY x.a ORDER BY count(1) DESC LIMIT 1");
  needs_ties("SELECT a, b FROM t GROUP BY a, b LIMIT 1", "SELECT x.a, x.b FROM t AS x GROUP BY x.a, x.b LIMIT 1");
  not_proved("SELECT a, b FROM t GROUP BY a, b LIMIT 1", "SELECT a, b FROM t GROUP BY b, a LIMIT 1");
  not_proved("SELECT a FROM t GROUP BY a ORDER BY count(*) DESC LIMIT 1",
             "SELECT a FROM (SELECT a, count(*) AS n FROM t GROUP BY a) ORDER BY n DESC LIMIT 1");
  not_proved("SELECT a FROM t GROUP BY a ORDER BY count(*) DESC LIMIT 1",
             "SELECT a FROM t GROUP BY a ORDER BY count(*) DESC, count(*) LIMIT 1");
  not_proved("SELECT t.name FROM t JOIN u ON t.id = t_id GROUP BY t.id ORDER BY count(*) DESC LIMIT 1",
             "SELECT t.name FROM t JOIN u ON t.id = t_id GROUP BY t.id, t.name ORDER BY count(*) DESC LIMIT 1");
  not_proved("SELECT a, b, row_number() OVER (ORDER BY count(*)) FROM t GROUP BY a, b",
             "SELECT a, b, row_number() OVER (ORDER BY count(*)) FROM t GROUP BY b, a");
  not_proved("SELECT a, b FROM (SELECT a, b, count(*) OVER (PARTITION BY a, b) AS n FROM t) WHERE n = 1 LIMIT 1",
             "SELECT a, b FROM (SELECT a, b, count(*) OVER (PARTITION BY b, a) AS n FROM t) WHERE n = 1 LIMIT 1");
}

TEST_F(Ties, OrdersThatTheQueryWrites) {
  not_proved("SELECT a FROM t WHERE b = 1 UNION ALL SELECT a FROM t WHERE b = 2 LIMIT 1",
             "SELECT a FROM t WHERE b = 2 UNION ALL SELECT a FROM t WHERE b = 1 LIMIT 1");
  not_proved("SELECT column1 FROM (VALUES (1), (2)), t WHERE id = 1 LIMIT 1",
             "SELECT column1 FROM (VALUES (2), (1)), t WHERE id = 1 LIMIT 1");
  not_proved("SELECT x.c, z.c FROM t LEFT JOIN u AS x ON x.t_id = t.id LEFT JOIN u AS z ON z.t_id = t.id LIMIT 2",
             "SELECT x.c, z.c FROM t LEFT JOIN u AS z ON z.t_id = t.id LEFT JOIN u AS x ON x.t_id = t.id LIMIT 2");
  not_proved("SELECT x.a, y.a FROM t AS x, t AS y WHERE x.b <> y.b GROUP BY x.a, y.a ORDER BY count(*) LIMIT 1",
             "SELECT y.a, x.a FROM t AS x, t AS y WHERE x.b <> y.b GROUP BY x.a, y.a ORDER BY count(*) LIMIT 1");
  not_proved("SELECT a FROM t WHERE id = 1 OR id = a LIMIT 1", "SELECT a FROM t WHERE id = a OR id = 1 LIMIT 1");
  needs_ties("SELECT a FROM t WHERE a = 1 OR b = 2 LIMIT 1", "SELECT a FROM t WHERE b = 2 OR a = 1 LIMIT 1");
}

TEST_F(Ties, OuterJoins) {
  not_proved("SELECT first_value(u.c) OVER () FROM t FULL JOIN u ON t.id = u.t_id",
             "SELECT first_value(u.c) OVER () FROM u FULL JOIN t ON t.id = u.t_id");
  not_proved("SELECT t.name FROM u RIGHT JOIN t ON t.id = u.t_id LIMIT 1",
             "SELECT t.name FROM t LEFT JOIN u ON t.id = u.t_id LIMIT 1");
  not_proved("SELECT u.id, t.name FROM u LEFT JOIN t ON u.t_id = t.id ORDER BY u.c LIMIT 3",
             "SELECT u.id, t.name FROM t RIGHT JOIN u ON u.t_id = t.id ORDER BY u.c LIMIT 3");
  not_proved("SELECT t.a FROM t LEFT JOIN u ON t.id = u.t_id WHERE u.c IS NOT NULL LIMIT 1",
             "SELECT t.a FROM t JOIN u ON t.id = u.t_id WHERE u.c IS NOT NULL LIMIT 1");
  not_proved("SELECT t.a FROM u RIGHT JOIN t ON t.id = u.t_id WHERE u.id IS NULL LIMIT 1",
             "SELECT t.a FROM t WHERE t.id NOT IN (SELECT t_id FROM u) LIMIT 1");
  not_proved("SELECT t.a FROM t LEFT JOIN u ON t.id = u.t_id LIMIT 2",
             "SELECT t.a FROM (SELECT * FROM t LIMIT 2) AS t LEFT JOIN u ON t.id = u.t_id LIMIT 2");
  // The same joins, written in the same order.
  needs_ties("SELECT t.a FROM t LEFT JOIN u ON t.id = u.t_id ORDER BY u.c LIMIT 3",
             "SELECT x.a FROM (SELECT a, id FROM t) AS x LEFT JOIN (SELECT c, t_id FROM u) AS y ON x.id = y.t_id "
             "ORDER BY y.c LIMIT 3");
  needs_ties("SELECT u.c FROM t FULL JOIN u ON t.id = u.t_id LIMIT 3",
             "SELECT c FROM t FULL JOIN (SELECT c, t_id FROM u) AS y ON t.id = y.t_id LIMIT 3");
  not_proved("SELECT t.a FROM (SELECT * FROM t ORDER BY b) AS t LEFT JOIN u ON t.id = u.t_id LIMIT 3",
             "SELECT t.a FROM (SELECT * FROM t ORDER BY a) AS t LEFT JOIN u ON t.id = u.t_id LIMIT 3");
  // Nor if the join is superfluous.
  EXPECT_FALSE(prove_assuming("SELECT t.b, row_number() OVER (PARTITION BY t.a) FROM t",
                              "SELECT t.b, row_number() OVER (PARTITION BY t.a) FROM t LEFT JOIN t AS x ON x.id = t.b",
                              true));
  // Groups have an order of their own.
  needs_ties("SELECT t.a FROM t LEFT JOIN u ON t.id = u.t_id GROUP BY t.a ORDER BY count(u.id) LIMIT 1",
             "SELECT x.a FROM t AS x LEFT JOIN u AS y ON y.t_id = x.id GROUP BY x.a ORDER BY count(y.id) LIMIT 1");
}

TEST_F(Ties, BareColumns) {
  needs_ties("SELECT name, count(*) FROM t GROUP BY a", "SELECT x.name, count(*) FROM t AS x GROUP BY x.a");
  needs_ties("SELECT name, max(b) FROM t GROUP BY a", "SELECT x.name, max(x.b) FROM t AS x GROUP BY x.a");
  needs_ties("SELECT name FROM t GROUP BY a HAVING a > 2", "SELECT name FROM (SELECT * FROM t WHERE a > 2) GROUP BY a");
  needs_ties("SELECT name FROM t GROUP BY a HAVING count(*) > 2 AND b = b",
             "SELECT name FROM t AS x WHERE 1 GROUP BY a HAVING count(*) > 2 AND b = b");
}

TEST_F(Ties, OtherBareColumns) {
  not_proved("SELECT name FROM t GROUP BY a", "SELECT name FROM t GROUP BY b");
  not_proved("SELECT name, a FROM t GROUP BY a", "SELECT code, a FROM t GROUP BY a");
  not_proved("SELECT name, max(b) > 0 OR 1 FROM t GROUP BY a", "SELECT name, min(b) > 0 OR 1 FROM t GROUP BY a");
  not_proved("SELECT name FROM (SELECT name, max(b) FROM t GROUP BY a)",
             "SELECT name FROM (SELECT name, min(b) FROM t GROUP BY a)");
  not_proved("SELECT name FROM (SELECT name, max(b) FROM t GROUP BY a)", "SELECT name FROM t GROUP BY a");
  not_proved("SELECT name FROM (SELECT name, max(b) FROM t GROUP BY a)",
             "SELECT name FROM (SELECT x.name, max(x.id) FROM t AS x GROUP BY x.a)");
  not_proved("SELECT name, max(b) FROM t GROUP BY a", "SELECT max(name), max(b) FROM t GROUP BY a");
  // Beside max(DISTINCT x) SQLite takes the last row, whatever its x is.
  not_proved("SELECT b, max(b) FROM t", "SELECT b, max(DISTINCT b) FROM t");
  not_proved("SELECT name, max(b) FROM t GROUP BY a", "SELECT name, max(DISTINCT b) FROM t GROUP BY a");
}

TEST_F(Ties, AggregatesAndWindows) {
  needs_ties("SELECT group_concat(a) FROM t", "SELECT group_concat(x.a) FROM t AS x");
  needs_ties("SELECT b, json_group_array(a) FROM t GROUP BY b",
             "SELECT x.b, json_group_array(x.a) FROM t x GROUP BY 1");
  needs_ties("SELECT name, row_number() OVER (PARTITION BY a ORDER BY b) FROM t",
             "SELECT x.name, row_number() OVER (PARTITION BY x.a ORDER BY x.b) FROM t AS x");
  not_proved("SELECT group_concat(a) FROM t", "SELECT group_concat(b) FROM t");
  not_proved("SELECT group_concat(a) FROM t", "SELECT group_concat(a, ';') FROM t");
  not_proved("SELECT group_concat(a) FROM t", "SELECT group_concat(DISTINCT a) FROM t");
  not_proved("SELECT name, row_number() OVER (PARTITION BY a ORDER BY b) FROM t",
             "SELECT name, row_number() OVER (ORDER BY b) FROM t");
  not_proved("SELECT name, row_number() OVER (ORDER BY a) FROM t",
             "SELECT name, row_number() OVER (ORDER BY b) FROM t");
  not_proved("SELECT name, row_number() OVER (ORDER BY a) FROM t", "SELECT name, rank() OVER (ORDER BY a) FROM t");
  // LIMIT and ROW_NUMBER are two orders.
  not_proved("SELECT name FROM t ORDER BY a LIMIT 1",
             "SELECT name FROM (SELECT name, row_number() OVER (ORDER BY a) AS n FROM t) WHERE n = 1");
}

TEST_F(Ties, WhatItDoesNotFix) {
  not_proved("SELECT (SELECT name FROM t)", "SELECT (SELECT x.name FROM t AS x)");
  not_proved("SELECT DISTINCT code FROM t", "SELECT DISTINCT x.code FROM t AS x");
  not_proved("SELECT name FROM t ORDER BY random() LIMIT 1", "SELECT x.name FROM t AS x ORDER BY random() LIMIT 1");
  not_proved("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 3) SELECT i FROM n",
             "WITH RECURSIVE m(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM m LIMIT 3) SELECT i FROM m");
}

}  // namespace
}  // namespace trustsql::equiv
