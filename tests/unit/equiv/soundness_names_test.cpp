// Queries whose names SQLite understands otherwise than one may think: nothing is proved that takes one for the other.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "db/catalog/catalog_reader.hpp"
#include "equiv/prover.hpp"
#include "plan/query_plan.hpp"
#include "plan/verify.hpp"
#include "unit/test_run.hpp"

namespace trustsql::equiv {
namespace {

constexpr const char* names_schema = R"(
CREATE TABLE g(w TEXT, a INT); CREATE TABLE t(a INT, b INT, "" INT); CREATE TABLE u(a INT, c INT);
CREATE TABLE x(a INT, b INT); CREATE TABLE y(a INT, c INT); CREATE TABLE z(a INT, b INT, d INT);
CREATE TABLE n(b INT NOT NULL);
CREATE VIEW merged AS SELECT a FROM t FULL JOIN u USING (a);
CREATE VIEW called(true, w) AS SELECT a, w FROM g;
)";

TEST(SoundnessOfNames, AsSqliteUnderstandsThem) {
  TRUSTSQL_SKIP_BEFORE_3_39();
  sqlite3* db = nullptr;
  ASSERT_EQ(sqlite3_open(":memory:", &db), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(db, names_schema, nullptr, nullptr, nullptr), SQLITE_OK) << sqlite3_errmsg(db);
  const auto catalog = read_catalog(db);
  ASSERT_TRUE(catalog.ok());
  const auto proved = [&](const std::string& a, const std::string& b) {
    const auto plan_a = plan::plan_query(a, *catalog, {.version = sqlite3_libversion_number()});
    const auto plan_b = plan::plan_query(b, *catalog, {.version = sqlite3_libversion_number()});
    EXPECT_TRUE(plan_a.ok()) << a << ": " << plan_a.error().message;
    EXPECT_TRUE(plan_b.ok()) << b << ": " << plan_b.error().message;
    EXPECT_TRUE(!plan_a.ok() || plan::verify(*plan_a).ok()) << a;
    EXPECT_TRUE(!plan_b.ok() || plan::verify(*plan_b).ok()) << b;
    return plan_a.ok() && plan_b.ok() && prove(*plan_a, *plan_b, {}).proof.has_value();
  };
  const std::vector<std::pair<std::string, std::string>> others = {
      // What a FULL JOIN merges is a column of the view.
      {"SELECT (SELECT a FROM merged LIMIT 1) FROM g", "SELECT (SELECT g.a FROM merged LIMIT 1) FROM g"},
      {"SELECT g.a FROM g WHERE EXISTS (SELECT 1 FROM merged WHERE a = 77)",
       "SELECT g.a FROM g WHERE g.a = 77 AND EXISTS (SELECT 1 FROM merged)"},
      // TRUE and FALSE are no names of columns.
      {"WITH v(false) AS (SELECT a FROM t) SELECT false FROM v", "SELECT a FROM t"},
      {"SELECT true FROM called", "SELECT a FROM g"},
      // "" is one.
      {"SELECT \"\" FROM (SELECT a AS \"\" FROM g)", "SELECT '' FROM g"},
      {"SELECT \"column1\" FROM (SELECT a AS \"\" FROM g)", "SELECT a FROM g"},
      // Names that SQLite makes up for further columns of one name.
      {"SELECT \":2\" FROM (SELECT a AS \":1\", a AS \":1\" FROM g)", "SELECT ':2' FROM g"},
      {"SELECT \"a:5\" FROM (SELECT a, a, a, a, a, a FROM g)", "SELECT a FROM g"},
      // * leaves out what has the name of a column that USING joins.
      {"SELECT * FROM g JOIN (x JOIN y USING (a) JOIN (x AS x2 JOIN z USING (b)) USING (a))",
       "SELECT g.w, g.a, x.a, x.b, y.c, x2.b, z.a, z.d FROM g JOIN x JOIN y USING (a) JOIN (x AS x2 JOIN z USING (b)) "
       "USING (a)"},
      {"SELECT x.a, y.a FROM x LEFT JOIN (z AS m JOIN z AS y) AS j USING (a) FULL JOIN y USING (a)",
       "SELECT x.a, coalesce(j.q, y.a) FROM x LEFT JOIN (SELECT m.a, y.a AS q FROM z AS m JOIN z AS y) AS j ON x.a = "
       "j.a FULL JOIN y ON coalesce(x.a, j.a) = y.a"},
      // A null test of what is never NULL is no reference, so the aggregate is one of the outer query.
      {"SELECT a, (SELECT count(CASE WHEN b IS NOT NULL THEN g.a END) FROM n) FROM g GROUP BY w",
       "SELECT a, (SELECT count(CASE WHEN b IS NOT NULL THEN g.a END) FROM (SELECT * FROM n LIMIT -1)) FROM g GROUP BY "
       "w"},
      // Of no rows, n is NULL or 'A'.
      {"SELECT n, min(a) FROM (SELECT 'A' AS n, a FROM g WHERE 0)",
       "SELECT n, min(a) FROM (SELECT 'A' AS n, a FROM g WHERE 0 LIMIT -1)"},
  };
  for (const auto& [a, b] : others) EXPECT_FALSE(proved(a, b)) << a << "\n" << b;
  const std::vector<std::pair<std::string, std::string>> same = {
      {"WITH v(false) AS (SELECT a FROM t) SELECT false FROM v", "SELECT 0 FROM t"},
      {"SELECT \"\" FROM (SELECT a AS \"\" FROM g)", "SELECT a FROM g"},
      {"SELECT \":1:1\" FROM (SELECT a AS \":1\", a AS \":1\" FROM g)", "SELECT ':1:1' FROM g"},
      {"SELECT \"a:4\" FROM (SELECT a, a, a, a, w AS a FROM g)", "SELECT w FROM g"},
  };
  for (const auto& [a, b] : same) EXPECT_TRUE(proved(a, b)) << a << "\n" << b;
  sqlite3_close(db);
}

}  // namespace
}  // namespace trustsql::equiv
