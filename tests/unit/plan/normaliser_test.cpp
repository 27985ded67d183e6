// Which queries the normaliser makes equal, which it keeps apart, and what it reports.
#include <gtest/gtest.h>

#include "db/catalog/catalog_reader.hpp"
#include "plan/to_sql.hpp"
#include "plan/walk.hpp"
#include "unit/plan/rule_tester.hpp"
#include "unit/plan/trigger_queries.hpp"
#include "unit/test_run.hpp"

namespace trustsql {
namespace {

using namespace testing_support;

class Normaliser : public ::testing::Test {
 protected:
  Normaliser() {
    sqlite3* opened = nullptr;
    sqlite3_open(":memory:", &opened);
    db_.reset(opened);
    EXPECT_EQ(sqlite3_exec(opened, TriggerQueries::schema(), nullptr, nullptr, nullptr), SQLITE_OK);
    catalog_ = *read_catalog(opened);
  }

  plan::Plan plan(const std::string& sql) {
    static const FunctionTable functions = FunctionTable::built_in(sqlite3_libversion_number());
    auto plan = plan_of(sql, catalog_, functions);
    EXPECT_TRUE(plan.has_value()) << sql;
    return plan ? *std::move(plan) : plan::Plan();
  }
  plan::Normalised normalised(const std::string& sql, plan::Assume assume = plan::Assume::nothing()) {
    return plan::normalise(plan(sql), {.assume = assume, .verify = true});
  }
  bool same(const std::string& a, const std::string& b, plan::Assume assume = plan::Assume::nothing()) {
    return plan::same_tree(normalised(a, assume).plan, normalised(b, assume).plan);
  }

  Database db_;
  Catalog catalog_;
};

TEST_F(Normaliser, BringsTogetherWhatMeansTheSame) {
  TRUSTSQL_SKIP_BEFORE_3_39();
  const std::pair<const char*, const char*> pairs[] = {
      // Operands, conditions and joins in another order; conditions in another place.
      {"SELECT name FROM p WHERE age > 1 AND city = 'a'", "SELECT name FROM p WHERE 'a' = city AND 1 < age"},
      {"SELECT p.name FROM p JOIN c ON p.id = c.pid WHERE c.v = 1",
       "SELECT x.name FROM c AS y, p AS x WHERE y.v = 1 AND y.pid = x.id"},
      {"SELECT p.name FROM p LEFT JOIN c ON p.id = c.pid WHERE c.v = 1",
       "SELECT p.name FROM p JOIN c ON p.id = c.pid AND c.v = 1"},
      {"SELECT c.v FROM p RIGHT JOIN c ON p.id = c.pid AND p.age > 1",
       "SELECT c.v FROM c LEFT JOIN (SELECT * FROM p WHERE age > 1) AS q ON q.id = c.pid"},
      // Conditions.
      {"SELECT name FROM p WHERE age BETWEEN 1 AND 3", "SELECT name FROM p WHERE NOT (age < 1 OR age > 3)"},
      {"SELECT name FROM p WHERE city = 'a' OR city = 'b'", "SELECT name FROM p WHERE city IN ('b', 'a', 'b')"},
      {"SELECT name FROM p WHERE id > 2", "SELECT name FROM p WHERE id >= 3"},
      {"SELECT city FROM p GROUP BY city HAVING count(*) > 2",
       "SELECT city FROM p GROUP BY city HAVING 3 <= count(id)"},
      {"SELECT name FROM p WHERE age > 1 AND age > 2 AND age IS NOT NULL", "SELECT name FROM p WHERE age > 2"},
      {"SELECT name FROM p WHERE id = id", "SELECT name FROM p"},
      {"SELECT name FROM p WHERE age > 1 AND 0", "SELECT name FROM p WHERE age = 1 AND age = 2"},
      {"SELECT p.name FROM p, c WHERE p.id = c.cid AND c.cid = 3",
       "SELECT p.name FROM p, c WHERE p.id = 3 AND c.cid = 3"},
      // Subqueries.
      {"SELECT name FROM p WHERE id IN (SELECT pid FROM c WHERE v > 1)",
       "SELECT name FROM p WHERE EXISTS (SELECT * FROM c WHERE c.pid = p.id AND c.v > 1)"},
      {"SELECT name FROM p WHERE NOT EXISTS (SELECT 1 FROM c WHERE pid = p.id)",
       "SELECT name FROM p WHERE id NOT IN (SELECT pid FROM c)"},
      {"SELECT name FROM p WHERE NOT EXISTS (SELECT 1 FROM c WHERE pid = p.id)",
       "SELECT name FROM p LEFT JOIN c ON pid = p.id WHERE pid IS NULL"},
      {"SELECT v FROM c WHERE pid IN (SELECT id FROM p WHERE age > 1)",
       "SELECT v FROM c JOIN p ON pid = p.id WHERE age > 1"},
      {"SELECT DISTINCT city FROM p WHERE id IN (SELECT pid FROM c)",
       "SELECT DISTINCT city FROM p JOIN c ON p.id = c.pid"},
      {"SELECT name FROM p WHERE age = (SELECT max(age) FROM p)",
       "SELECT name FROM p WHERE age IN (SELECT max(age) FROM p)"},
      {"SELECT name FROM p WHERE age > (SELECT avg(v) FROM c WHERE c.pid = p.id)",
       "SELECT name FROM p JOIN (SELECT pid, avg(v) AS a FROM c GROUP BY pid) AS d ON d.pid = p.id WHERE age > a"},
      // Boundaries of subqueries, views and common tables.
      {"WITH d AS (SELECT id, age + 1 AS x FROM p) SELECT x FROM d WHERE x > 2",
       "SELECT age + 1 FROM p WHERE age + 1 > 2"},
      {"SELECT older FROM pv WHERE id = 1", "SELECT age + 1 FROM p WHERE age IS NOT NULL AND id = 1"},
      {"SELECT count(*) FROM (SELECT * FROM p ORDER BY name)", "SELECT count(id) FROM p"},
      // DISTINCT, GROUP BY, set operations.
      {"SELECT DISTINCT id, name FROM p", "SELECT id, name FROM p"},
      {"SELECT city FROM p GROUP BY city", "SELECT DISTINCT city FROM p"},
      {"SELECT p.name, count(*) FROM p JOIN c ON p.id = c.pid GROUP BY p.id",
       "SELECT p.name, count(*) FROM p JOIN c ON p.id = c.pid GROUP BY p.id, p.name"},
      {"SELECT city, count(*) FROM p GROUP BY city HAVING city > 'a'",
       "SELECT city, count(*) FROM p WHERE city > 'a' GROUP BY city"},
      {"SELECT id FROM p INTERSECT SELECT pid FROM c", "SELECT id FROM p WHERE id IN (SELECT pid FROM c)"},
      {"SELECT id FROM p EXCEPT SELECT pid FROM c", "SELECT id FROM p WHERE id NOT IN (SELECT pid FROM c)"},
      {"SELECT city FROM p UNION SELECT w || '' FROM c", "SELECT w || '' FROM c UNION SELECT DISTINCT city FROM p"},
      {"SELECT count(CASE WHEN age > 1 THEN 1 END) FROM p", "SELECT count(*) FILTER (WHERE age > 1) FROM p"},
      // Joins, sorting and limits without effect.
      {"SELECT c.v FROM c LEFT JOIN p ON c.pid = p.id", "SELECT v FROM c"},
      {"SELECT a.name FROM p AS a JOIN p AS b ON a.id = b.id WHERE b.age > 1", "SELECT name FROM p WHERE age > 1"},
      {"SELECT name FROM p ORDER BY id, age, name", "SELECT name FROM p ORDER BY id"},
      {"SELECT count(*) FROM p LIMIT 1", "SELECT count(*) FROM p"},
      {"SELECT id FROM (SELECT id FROM p ORDER BY id LIMIT 5) ORDER BY id LIMIT 3",
       "SELECT id FROM (SELECT id FROM p ORDER BY id LIMIT 5) AS q ORDER BY q.id LIMIT 3"},
  };
  for (const auto& [a, b] : pairs) {
    EXPECT_TRUE(same(a, b)) << a << "\n  " << plan::to_sql(normalised(a).plan) << "\n"
                            << b << "\n  " << plan::to_sql(normalised(b).plan);
  }
}

TEST_F(Normaliser, KeepsApartWhatDiffers) {
  const std::pair<const char*, const char*> pairs[] = {
      {"SELECT count(age) FROM p", "SELECT count(*) FROM p"},
      {"SELECT name FROM p WHERE age > 2", "SELECT name FROM p WHERE age >= 3"},  // 2.5
      {"SELECT name FROM p WHERE id NOT IN (SELECT qid FROM c)",
       "SELECT name FROM p WHERE NOT EXISTS (SELECT 1 FROM c WHERE qid = p.id)"},
      {"SELECT city FROM p EXCEPT SELECT w FROM c", "SELECT city FROM p WHERE city NOT IN (SELECT w FROM c)"},
      {"SELECT DISTINCT age FROM p", "SELECT age FROM p"},
      {"SELECT DISTINCT a, b FROM m", "SELECT a, b FROM m"},  // a primary key that holds NULL
      {"SELECT max(age) FROM p HAVING 1", "SELECT max(age) FROM p GROUP BY 'x'"},
      {"SELECT max(age) FROM p", "SELECT age FROM p ORDER BY age DESC LIMIT 1"},
      {"SELECT p.id FROM p JOIN c ON p.id = c.pid", "SELECT p.id FROM p WHERE p.id IN (SELECT pid FROM c)"},
      {"SELECT c.v FROM c JOIN p ON c.pid = p.id", "SELECT v FROM c"},  // a foreign key that is violated
      {"SELECT p.name FROM p LEFT JOIN c ON p.id = c.pid AND p.age > 1",
       "SELECT p.name FROM p LEFT JOIN c ON p.id = c.pid WHERE p.age > 1"},
      {"SELECT name FROM p WHERE city = 'a'", "SELECT name FROM p WHERE city LIKE 'a'"},
      {"SELECT id FROM p ORDER BY id", "SELECT id FROM p"},
      {"SELECT id FROM p ORDER BY age LIMIT 1", "SELECT id FROM p ORDER BY age DESC LIMIT 1"},
      {"SELECT id, age FROM p", "SELECT age, id FROM p"},
      {"SELECT avg(age) FROM p", "SELECT sum(age) / count(age) FROM p"},
      {"SELECT count(DISTINCT city) FROM p", "SELECT count(city) FROM p"},
      {"SELECT a.id FROM p AS a, p AS b WHERE a.age > b.age", "SELECT a.id FROM p AS a, p AS b WHERE a.age < b.age"},
      {"SELECT city FROM p UNION ALL SELECT w FROM c", "SELECT city FROM p UNION SELECT w FROM c"},
      {"SELECT v FROM c WHERE w = 'a'", "SELECT v FROM c WHERE w = 'A' COLLATE BINARY"},
      // A bare column is NULL if there are no rows.
      {"SELECT count(*), x IS NULL FROM (SELECT 1 AS x WHERE 0)", "SELECT count(*), 0 FROM (SELECT 1 AS x WHERE 0)"},
      {"SELECT count(*), x FROM (SELECT 7 AS x) WHERE x > 9", "SELECT count(*), 7 FROM (SELECT 7 AS x) WHERE x > 9"},
  };
  for (const auto& [a, b] : pairs)
    EXPECT_FALSE(same(a, b)) << a << "\n" << b << "\n  " << plan::to_sql(normalised(a).plan);
}

TEST_F(Normaliser, SaysWhatItAssumes) {
  const auto all = plan::Assume::everything();
  EXPECT_TRUE(same("SELECT c.v FROM c JOIN p ON c.pid = p.id", "SELECT v FROM c", all));
  EXPECT_TRUE(same("SELECT DISTINCT a, b FROM m", "SELECT a, b FROM m", all));
  EXPECT_TRUE(same("SELECT name FROM p WHERE age > 2", "SELECT name FROM p WHERE age >= 3", all));

  const auto join = normalised("SELECT c.v FROM c JOIN p ON c.pid = p.id", all);
  ASSERT_EQ(join.assumptions.size(), 1U);
  EXPECT_EQ(plan::describe(join.assumptions[0]), "the foreign key c.pid to p holds");
  const auto bound = normalised("SELECT name FROM p WHERE age > 2", all);
  ASSERT_EQ(bound.assumptions.size(), 1U);
  EXPECT_EQ(plan::describe(bound.assumptions[0]), "the column p.age holds only values of its declared type");
  EXPECT_TRUE(normalised("SELECT DISTINCT id FROM p WHERE id > 2", all).assumptions.empty());
}

TEST_F(Normaliser, SaysWhichRulesFired) {
  const auto result = normalised("SELECT name FROM p WHERE NOT (age <> 1 + 1)");
  std::map<std::string_view, int> fired;
  for (const auto& firing : result.fired) fired[firing.rule] = firing.times;
  EXPECT_EQ(fired["constant_folding"], 1);
  EXPECT_EQ(fired["negation_pushdown"], 1);
  EXPECT_EQ(fired.count("between_expansion"), 0U);
  EXPECT_TRUE(result.complete);
}

// A condition that one rule pushes below a group, a DISTINCT or a union must not be made anew by another.
TEST_F(Normaliser, EndsSoon) {
  for (const char* sql : {
           "SELECT d.pid FROM (SELECT DISTINCT pid FROM c) d, p WHERE d.pid = p.id AND p.id = 5",
           "SELECT d.pid FROM (SELECT pid, count(*) AS n FROM c GROUP BY pid) d, p WHERE d.pid = p.id AND p.id = 5",
           "SELECT d.pid FROM (SELECT pid FROM c UNION SELECT id FROM p) d, p WHERE d.pid = p.id AND p.id = 5",
           "SELECT d.pid FROM (SELECT pid FROM c UNION SELECT id FROM p) d, p WHERE d.pid = 5 AND p.id = 5",
           "SELECT pid, max(cid) FROM c GROUP BY pid HAVING max(cid) = 5 AND max(cid) = pid",
           "SELECT p.id FROM p WHERE p.id = (SELECT max(cid) FROM c WHERE c.cid = p.id) AND p.id = ' '",
       }) {
    for (const auto& assume : {plan::Assume::nothing(), plan::Assume{}, plan::Assume::everything()}) {
      const auto result = plan::normalise(plan(sql), {.assume = assume, .verify = true});
      EXPECT_TRUE(result.complete) << sql;
      int steps = 0;
      for (const auto& firing : result.fired) steps += firing.times;
      EXPECT_LT(steps, 60) << sql;
    }
  }
}

// window_to_groups copies the input of a window, so that each level would double the plan.
TEST_F(Normaliser, StopsBeforeThePlanDoublesAgainAndAgain) {
  constexpr int levels = 14;
  std::string sql;
  for (int level = 0; level < levels; ++level)
    sql += "SELECT id, age, count(*) OVER (PARTITION BY age, name) AS name FROM (";
  sql += "SELECT id, age, name FROM p" + std::string(levels, ')');
  const auto before = plan(sql);
  const auto result = plan::normalise(plan::Plan(before), {});
  EXPECT_LT(result.plan.attributes.size(), before.attributes.size() + 4'000);
}

// between_expansion copies the operand, so that each level would double the expression.
TEST_F(Normaliser, StopsBeforeAnExpressionDoublesAgainAndAgain) {
  std::string sql = "SELECT age";
  for (int level = 0; level < 14; ++level) sql += " BETWEEN 1 AND 2";
  const auto result = plan::normalise(plan(sql + " FROM p"), {.verify = true});
  EXPECT_TRUE(result.complete);
  std::size_t size = 0;
  plan::walk(result.plan.root, [&](const plan::Expr&) { ++size; });
  EXPECT_LT(size, 200U);
}

// Those that are compared with 1 look like ranks.
TEST_F(Normaliser, TakesWindowsWithoutAnOrder) {
  for (const char* call : {"row_number() OVER ()", "rank() OVER (PARTITION BY age)", "sum(age) OVER ()",
                           "lag(age) OVER ()", "count(*) OVER (PARTITION BY name)"}) {
    const auto sql = "SELECT r FROM (SELECT " + std::string(call) + " AS r FROM p) WHERE r = 1";
    EXPECT_TRUE(plan::normalise(plan(sql), {.verify = true}).complete) << sql;
  }
}

TEST_F(Normaliser, StopsAtItsLimit) {
  const std::string sql = "SELECT name FROM p WHERE NOT (age <> 1 + 1) AND id IN (SELECT pid FROM c)";
  const auto result = plan::normalise(plan(sql), {.max_steps = 2, .verify = true});
  EXPECT_FALSE(result.complete);
  int steps = 0;
  for (const auto& firing : result.fired) steps += firing.times;
  EXPECT_EQ(steps, 2);
}

// Each common table is read twice.
TEST_F(Normaliser, AsksWhetherToGoOnUntilItIsStopped) {
  std::string sql = "WITH c0 AS (SELECT id, age FROM p)";
  constexpr int levels = 7;
  for (int i = 1; i <= levels; ++i) {
    const std::string below = "c" + std::to_string(i - 1);
    sql +=
        ", c" + std::to_string(i) + " AS (SELECT x.id, y.age FROM " + below + " x, " + below + " y WHERE x.id = y.age)";
  }
  sql += " SELECT * FROM c" + std::to_string(levels);
  int asked = 0;
  const auto all = plan::normalise(plan(sql), {.stop = [&] { return ++asked < 0; }});
  EXPECT_FALSE(all.stopped);
  std::size_t scans = 0;
  plan::walk(all.plan.root, [&](const plan::Scan&) { ++scans; });
  EXPECT_GT(asked, static_cast<int>(scans) / 4);
  for (const int last : {1, 3}) {
    asked = 0;
    const auto result = plan::normalise(plan(sql), {.stop = [&] { return ++asked >= last; }});
    EXPECT_TRUE(result.stopped);
    EXPECT_FALSE(result.complete);
    EXPECT_EQ(asked, last);
  }
}

// The oracle of the other tests must notice differences.
TEST_F(Normaliser, ItsOracleTellsQueriesApart) {
  const std::pair<const char*, const char*> pairs[] = {
      {"SELECT count(age) FROM p", "SELECT count(*) FROM p"},
      {"SELECT name FROM p WHERE age > 2", "SELECT name FROM p WHERE age >= 3"},
      {"SELECT id FROM p WHERE id NOT IN (SELECT qid FROM c)",
       "SELECT id FROM p WHERE NOT EXISTS (SELECT 1 FROM c WHERE qid = p.id)"},
      {"SELECT DISTINCT age FROM p", "SELECT age FROM p"},
      {"SELECT DISTINCT a, b FROM m", "SELECT a, b FROM m"},
      {"SELECT p.id FROM p JOIN c ON p.id = c.pid", "SELECT p.id FROM p WHERE p.id IN (SELECT pid FROM c)"},
      {"SELECT c.v FROM c JOIN p ON c.pid = p.id", "SELECT v FROM c"},
      {"SELECT id FROM p WHERE city = 'a'", "SELECT id FROM p WHERE city LIKE 'a'"},
      {"SELECT id FROM p ORDER BY id DESC", "SELECT id FROM p ORDER BY id"},
      {"SELECT max(age) FROM p", "SELECT age FROM p ORDER BY age DESC LIMIT 1"},
      {"SELECT sum(age), count(*) FROM p WHERE age > 0",
       "SELECT sum(age), count(*) FROM p WHERE age > 0 HAVING count(*) > 0"},
      {"SELECT v FROM c WHERE w = 'a'", "SELECT v FROM c WHERE w = 'a' COLLATE BINARY"},
      {"SELECT id FROM p WHERE age = 1", "SELECT id FROM p WHERE +age = '1'"},
  };
  for (const auto& [a, b] : pairs) {
    const auto original_plan = plan(a);
    RuleOracle oracle(db_.get(), catalog_, {&original_plan}, 30, 5);
    const auto original = oracle.run(a, original_plan);
    EXPECT_EQ(oracle.compare(original, b, false).outcome, Verdict::Outcome::different) << a << "\n" << b;
    EXPECT_EQ(oracle.compare(original, a, false).outcome, Verdict::Outcome::same) << a;
  }
}

}  // namespace
}  // namespace trustsql
