// Each invariant of plans, violated on purpose.
#include "plan/verify.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <stdexcept>

#include "plan/normaliser.hpp"
#include "plan/walk.hpp"
#include "unit/plan/plan_of.hpp"

namespace trustsql::plan {
namespace {

class Verify : public ::testing::Test {
 protected:
  // The first node of a type, the operators above before those below.
  template <class Node>
  static Node& first(Plan& plan) {
    Node* result = nullptr;
    walk(plan.root, [&](Node& node) {
      if (result == nullptr) result = &node;
    });
    if (result == nullptr) throw std::runtime_error("the plan has no such node");
    return *result;
  }

  // What verify() says of the plan of `sql` once `breaks` has changed it.
  std::string violation(const std::string& sql, const std::function<void(Plan&)>& breaks) {
    auto plan = maker_.plan(sql);
    if (const auto verified = verify(plan); !verified.ok()) return "before the change: " + verified.error().message;
    breaks(plan);
    const auto verified = verify(plan);
    return verified.ok() ? "" : verified.error().message;
  }

  testing_support::PlanMaker maker_{
      "CREATE TABLE p(id INTEGER PRIMARY KEY, name TEXT, age INT);"
      "CREATE TABLE c(cid INTEGER PRIMARY KEY, pid INT, v INT);"};
};

TEST_F(Verify, PlansAsTheyAreBuilt) {
  for (const char* sql : {
           "SELECT name FROM p WHERE age > 1 AND (id = 1 OR id = 2) ORDER BY age LIMIT 3 OFFSET 1",
           "SELECT (SELECT max(v) FROM c WHERE pid = p.id) FROM p WHERE EXISTS (SELECT 1 FROM c WHERE c.v = p.age)",
           "SELECT name, count(*), age FROM p GROUP BY name, name COLLATE NOCASE HAVING sum(id) > 1",
           "SELECT rank() OVER (PARTITION BY age ORDER BY id RANGE BETWEEN 1 PRECEDING AND CURRENT ROW) FROM p",
           "WITH RECURSIVE n(i) AS (SELECT 1 UNION SELECT i + 1 FROM n WHERE i < 5) SELECT * FROM n, n AS m",
           "SELECT id FROM p UNION SELECT pid FROM c UNION ALL SELECT 1 EXCEPT SELECT 2",
           "SELECT * FROM p WHERE (id, age) IN (SELECT pid, v FROM c) AND (id, age) < (SELECT pid, v FROM c)",
           "SELECT CASE (id, age) WHEN (1, 2) THEN 3 END, p.* FROM p NATURAL LEFT JOIN c AS p2",
           "SELECT value FROM p, json_each(p.name) WHERE 1",
           "SELECT 1",
           "VALUES (1, 2), (3, 4)",
       })
    EXPECT_EQ(violation(sql, [](Plan&) {}), "") << sql;
}

TEST_F(Verify, Attributes) {
  EXPECT_EQ(violation("SELECT name FROM p WHERE age > 1",
                      [](Plan& plan) {
                        auto& scan = first<Scan>(plan);
                        std::erase_if(scan.columns, [&](const TableColumn& c) { return c.position == 2; });
                      }),
            "Filter: Column: the attribute 1 (age) is not visible");
  EXPECT_EQ(violation("SELECT name FROM p WHERE age > 1",
                      [](Plan& plan) { first<Filter>(plan).conjuncts = {column(first<Scan>(plan).row)}; }),
            "Filter: Column: the attribute 0 (row) is not visible");
  EXPECT_EQ(
      violation("SELECT name FROM p, c", [](Plan& plan) { first<Join>(plan).right = Rel(*first<Join>(plan).left); }),
      "Scan: the attribute 2 (name) is produced twice");
  EXPECT_EQ(violation("SELECT age + 1 FROM p", [](Plan& plan) { first<Project>(plan).items[0].id = 99; }),
            "Project: the attribute 99 is not one of the plan");
  EXPECT_EQ(violation("SELECT age + 1, age + 2 FROM p",
                      [](Plan& plan) { first<Project>(plan).items[1].id = first<Project>(plan).items[0].id; }),
            "Project: an attribute occurs twice with different values");
  // What a subquery may see, a join does not show to its other side.
  const auto conditions_on_the_left = [](Plan& plan) {
    auto& join = first<Join>(plan);
    auto on = std::move(join.on);
    join.right = Rel{Filter{std::move(*join.right), std::move(on)}};
    join.on = {};
  };
  EXPECT_EQ(violation("SELECT name FROM p JOIN c ON pid = id", conditions_on_the_left),
            "Filter: Column: the attribute 2 (id) is not visible");
  const auto as_apply = [&](Plan& plan) {
    conditions_on_the_left(plan);
    auto& join = first<Join>(plan);
    Apply apply{ApplyType::semi, std::move(join.left), std::move(join.right), {}};
    first<Project>(plan).input = Rel{std::move(apply)};
  };
  EXPECT_EQ(violation("SELECT name FROM p JOIN c ON pid = id", as_apply), "");
}

TEST_F(Verify, Columns) {
  EXPECT_EQ(violation("SELECT name FROM p", [](Plan& plan) { plan.names.clear(); }),
            "Plan: it has not as many names as outputs");
  EXPECT_EQ(violation("SELECT id FROM p UNION SELECT pid FROM c",
                      [](Plan& plan) { first<SetOp>(plan).inputs[0].as<Project>()->items.clear(); }),
            "SetOp: an input has not as many columns as the result");
  EXPECT_EQ(violation("SELECT id FROM p UNION ALL SELECT pid FROM c",
                      [](Plan& plan) { first<SetOp>(plan).inputs.pop_back(); }),
            "SetOp: it lacks an input, or has one too many");
  EXPECT_EQ(violation("VALUES (1), (2)", [](Plan& plan) { first<Values>(plan).rows[1].clear(); }),
            "Values: a row has not as many values as columns");
  EXPECT_EQ(violation("SELECT DISTINCT id, name COLLATE NOCASE FROM p",
                      [](Plan& plan) { first<Distinct>(plan).collations.pop_back(); }),
            "Distinct: it has not as many collations as columns");
  EXPECT_EQ(violation("SELECT name FROM p", [](Plan& plan) { first<Scan>(plan).columns[0].position = 2; }),
            "Scan: an attribute is another column of a table than the one that it is read from");
}

TEST_F(Verify, Expressions) {
  EXPECT_EQ(violation("SELECT (age > 1 AND id > 2) FROM p",
                      [](Plan& plan) { first<And>(plan).terms[0] = Expr{And(first<And>(plan))}; }),
            "Project: And: a term is of the same kind");
  EXPECT_EQ(violation("SELECT (age > 1 OR id > 2) FROM p", [](Plan& plan) { first<Or>(plan).terms.pop_back(); }),
            "Project: Or: it has fewer than two terms");
  EXPECT_EQ(
      violation("SELECT age > 1 FROM p", [](Plan& plan) { first<Compare>(plan).how.affinity = Affinity::integer; }),
      "Project: Compare: the affinity of a comparison is not none, text or numeric");
  EXPECT_EQ(violation("SELECT age > 1 FROM p", [](Plan& plan) { first<Compare>(plan).how.collation = "nocase"; }),
            "Project: Compare: the name of a collation is not canonical");
  EXPECT_EQ(violation("SELECT age > 1 FROM p", [](Plan& plan) { first<Compare>(plan).left = {}; }),
            "Project: Compare: it lacks an operand");
  EXPECT_EQ(violation("SELECT age > 1 FROM p",
                      [](Plan& plan) {
                        first<Compare>(plan).left = Expr{Row{{literal({}), literal({})}}};
                      }),
            "Project: Row: it is a row where one value is due");
  EXPECT_EQ(violation("SELECT * FROM p WHERE id IN (SELECT pid FROM c)",
                      [](Plan& plan) { first<InSubquery>(plan).how = {}; }),
            "Filter: InSubquery: it has not as many comparisons as columns");
  EXPECT_EQ(violation("SELECT max(age) FROM p",
                      [](Plan& plan) {
                        const auto& call = first<Aggregate>(plan).calls[0];
                        first<Project>(plan).items[0].id = plan.add_attribute_like(call.id);
                        first<Project>(plan).items[0].expr = Function{"max", {column(call.id)}, "BINARY", call.info};
                      }),
            "Project: Function: it is not a scalar function");
}

TEST_F(Verify, Operators) {
  EXPECT_EQ(violation("SELECT * FROM p WHERE age > 1", [](Plan& plan) { first<Filter>(plan).conjuncts.clear(); }),
            "Filter: it has no condition");
  EXPECT_EQ(violation("SELECT * FROM p WHERE age > 1", [](Plan& plan) { first<Filter>(plan).input = {}; }),
            "Filter: it lacks an input, or has one too many");
  EXPECT_EQ(violation("SELECT * FROM p ORDER BY age", [](Plan& plan) { first<Sort>(plan).keys.clear(); }),
            "Sort: it has no key");
  EXPECT_EQ(violation("SELECT id FROM p LIMIT 1", [](Plan& plan) { first<Limit>(plan).count = {}; }),
            "Limit: it has no count");
  EXPECT_EQ(violation("SELECT id FROM p LIMIT 1", [](Plan& plan) { first<Limit>(plan).count = column(1); }),
            "Limit: its count or offset depends on a row");
  EXPECT_EQ(
      violation("SELECT count(*) FROM p GROUP BY age", [](Plan& plan) { first<Aggregate>(plan).grouped = false; }),
      "Aggregate: it has keys, but no GROUP BY");
  EXPECT_EQ(violation("SELECT age, count(*) FROM p GROUP BY name",
                      [](Plan& plan) { first<Aggregate>(plan).calls[1].distinct = true; }),
            "Aggregate: a bare column has DISTINCT, FILTER or ORDER BY");
  EXPECT_EQ(violation("SELECT sum(age) OVER (ROWS 1 PRECEDING) FROM p",
                      [](Plan& plan) { first<Window>(plan).calls[0].frame->start.offset = {}; }),
            "Window: a bound of a frame lacks its offset, or has one");
  EXPECT_EQ(violation("WITH n(i) AS (SELECT 1 UNION SELECT i + 1 FROM n) SELECT * FROM n",
                      [](Plan& plan) { first<RecursiveRef>(plan).number = 7; }),
            "RecursiveRef: it is not in a step of its recursion");
  EXPECT_EQ(violation("SELECT * FROM (SELECT id FROM p) AS d", [](Plan& plan) { first<Derived>(plan).definition = 0; }),
            "Derived: a common table has no definition, or something else has one");
}

// --- rules that do what they must not

// The message that normalise() throws with this rule alone; "" if it throws nothing.
std::string thrown_by(const Rule& rule, Plan plan) {
  const Rule* const alone[] = {&rule};
  try {
    normalise(std::move(plan), {.rules = alone, .put_in_order = false, .max_steps = 5, .verify = true});
  } catch (const std::logic_error& violation) {
    return violation.what();
  }
  return "";
}

TEST_F(Verify, RulesThatBreakAPlan) {
  const Rule invisible{.name = "invisible", .kinds = rel_kinds<Scan>, .apply = [](Rel& rel, RuleContext&) {
                         rel.as<Scan>()->columns.clear();
                         return true;
                       }};
  EXPECT_EQ(thrown_by(invisible, maker_.plan("SELECT name FROM p")),
            "after the rule invisible: Project: Column: the attribute 1 (name) is not visible");
  const Rule silent{.name = "silent", .kinds = rel_kinds<Filter>, .apply = [](Rel& rel, RuleContext&) {
                      rel.as<Filter>()->conjuncts.pop_back();
                      return false;
                    }};
  EXPECT_EQ(thrown_by(silent, maker_.plan("SELECT name FROM p WHERE age > 1 AND id > 1")),
            "the rule silent changed something, but does not say so");
  const Rule idle{.name = "idle", .kinds = rel_kinds<Filter>, .apply = [](Rel&, RuleContext&) { return true; }};
  EXPECT_EQ(thrown_by(idle, maker_.plan("SELECT name FROM p WHERE age > 1")),
            "the rule idle says that it changed something, but did not");
}

}  // namespace
}  // namespace trustsql::plan
