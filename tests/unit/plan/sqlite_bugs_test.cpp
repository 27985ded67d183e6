// Each bug of SQLite that is listed: its query is recognised, nothing is proved about it, and the SQLite that runs the
// tests is checked for it.
#include "plan/sqlite_bugs.hpp"

#include <gtest/gtest.h>

#include "db/catalog/catalog_reader.hpp"
#include "equiv/prover.hpp"
#include "plan/query_plan.hpp"
#include "plan/to_sql.hpp"
#include "unit/plan/random_databases.hpp"
#include "unit/test_run.hpp"

namespace trustsql::plan {
namespace {

using testing_support::Database;

Database open(std::string_view schema) {
  sqlite3* db = nullptr;
  sqlite3_open(":memory:", &db);
  EXPECT_EQ(sqlite3_exec(db, std::string(schema).c_str(), nullptr, nullptr, nullptr), SQLITE_OK) << sqlite3_errmsg(db);
  return Database(db);
}

std::string rows_of(sqlite3* db, std::string_view sql) {
  std::string rows;
  const auto add_row = [](void* text, int count, char** values, char**) {
    for (int i = 0; i < count; ++i)
      *static_cast<std::string*>(text) += (values[i] != nullptr ? values[i] : "NULL") + std::string("|");
    *static_cast<std::string*>(text) += "\n";
    return 0;
  };
  EXPECT_EQ(sqlite3_exec(db, std::string(sql).c_str(), add_row, &rows, nullptr), SQLITE_OK) << sqlite3_errmsg(db);
  return rows;
}

Plan plan_of(std::string_view sql, const Catalog& catalog) {
  static const FunctionTable functions = FunctionTable::built_in(sqlite3_libversion_number());
  auto plan = plan_query(sql, catalog,
                         {.functions = &functions, .rowid_in_views = true, .version = sqlite3_libversion_number()});
  EXPECT_TRUE(plan.ok()) << sql;
  return plan.ok() ? *std::move(plan) : Plan();
}

TEST(SqliteBugs, AreRecognised) {
  TRUSTSQL_SKIP_BEFORE_3_39();
  for (const auto& bug : sqlite_bugs()) {
    if (bug.query.empty()) continue;
    SCOPED_TRACE(bug.name);
    const auto db = open(bug.schema);
    const auto catalog = read_catalog(db.get());
    ASSERT_TRUE(catalog.ok());
    const auto query = plan_of(bug.query, *catalog);
    const auto* recognised = find_sqlite_bug(query);
    ASSERT_NE(recognised, nullptr);
    EXPECT_EQ(recognised->name, bug.name);
    const auto correct = plan_of(bug.correct, *catalog);
    EXPECT_EQ(find_sqlite_bug(correct), nullptr) << find_sqlite_bug(correct)->name;
    EXPECT_FALSE(equiv::prove(query, correct).proof);
    EXPECT_FALSE(equiv::prove(query, query).proof);
  }
}

// A query with another one, Q, as part of it.
constexpr std::string_view places[] = {
    "SELECT * FROM (Q)",
    "SELECT * FROM (SELECT * FROM (Q)) WHERE 1",
    "WITH with_q AS (Q) SELECT * FROM with_q",
    "WITH with_q AS MATERIALIZED (Q) SELECT * FROM with_q",
    "WITH with_q AS NOT MATERIALIZED (Q) SELECT * FROM with_q",
    "WITH with_q AS (Q) SELECT (SELECT count(*) FROM with_q), * FROM with_q",
    "SELECT count(*) FROM (Q)",
    "SELECT DISTINCT * FROM (Q)",
    "SELECT (SELECT count(*) FROM (Q))",
    "SELECT EXISTS (Q)",
    "SELECT 1 WHERE NOT EXISTS (Q)",
    "SELECT 1 WHERE (SELECT count(*) FROM (Q)) > 0",
    "SELECT key_q FROM (SELECT 1 AS key_q) WHERE CASE WHEN EXISTS (Q) THEN key_q ELSE 0 END",
    "SELECT * FROM (Q) UNION ALL SELECT * FROM (Q)",
    "SELECT * FROM (SELECT * FROM (Q) UNION ALL SELECT * FROM (Q)) WHERE 1",
    "SELECT * FROM (Q) UNION SELECT * FROM (Q)",
    "SELECT key_q FROM (SELECT 1 AS key_q) JOIN (Q) ON 1",
    "SELECT key_q, sub_q.* FROM (SELECT 1 AS key_q) LEFT JOIN (Q) AS sub_q ON key_q",
    "SELECT key_q FROM (SELECT 1 AS key_q) LEFT JOIN (SELECT 2 AS other_q) ON EXISTS (Q)",
    "SELECT key_q FROM (SELECT 1 AS key_q) GROUP BY key_q HAVING EXISTS (Q)",
    "SELECT max(CASE WHEN EXISTS (Q) THEN key_q END) FROM (SELECT 1 AS key_q)",
    "SELECT count(*) FILTER (WHERE EXISTS (Q)) FROM (SELECT 1 AS key_q)",
    "SELECT key_q FROM (SELECT 1 AS key_q UNION ALL SELECT 2) ORDER BY CASE WHEN EXISTS (Q) THEN key_q ELSE -key_q END "
    "LIMIT 1",
    "SELECT sum(key_q) OVER (ORDER BY key_q), (SELECT count(*) FROM (Q)) FROM (SELECT 1 AS key_q)",
    "SELECT key_q IN (SELECT count(*) FROM (Q)) FROM (SELECT 1 AS key_q)",
    "SELECT (SELECT count(*) FROM (Q) WHERE key_q) FROM (SELECT 1 AS key_q)",
    "SELECT * FROM (Q) LIMIT 100",
};

TEST(SqliteBugs, AreRecognisedInEveryPlace) {
  if (sqlite3_libversion_number() != 3040001) GTEST_SKIP() << "SQLite " << sqlite3_libversion();
  const auto placed = [](std::string_view place, std::string_view query) {
    std::string sql;
    for (std::size_t i = 0; i < place.size(); ++i) {
      if (place[i] == 'Q')
        sql += query;
      else
        sql += place[i];
    }
    return sql;
  };
  int seen = 0;
  for (const auto& bug : sqlite_bugs()) {
    if (bug.query.empty()) continue;
    const auto db = open(bug.schema);
    const auto catalog = read_catalog(db.get());
    ASSERT_TRUE(catalog.ok());
    for (const auto place : places) {
      const auto query = placed(place, bug.query);
      const auto correct = placed(place, bug.correct);
      if (rows_of(db.get(), query) == rows_of(db.get(), correct)) continue;
      ++seen;
      EXPECT_FALSE(equiv::prove(plan_of(query, *catalog), plan_of(correct, *catalog)).proof) << query;
      EXPECT_NE(find_sqlite_bug(plan_of(query, *catalog)), nullptr) << query;
    }
  }
  EXPECT_GT(seen, 500);
}

// Other queries that the same bugs affect.
TEST(SqliteBugs, AreRecognisedInOtherForms) {
  TRUSTSQL_SKIP_BEFORE_3_39();
  const auto db = open(R"(
CREATE TABLE a(id INTEGER PRIMARY KEY, x INT, y INT NOT NULL, s TEXT); CREATE TABLE b(x INT, k INT NOT NULL, v INT);
CREATE INDEX bx ON b(x, v DESC); CREATE TABLE c(k INT, n TEXT COLLATE NOCASE, r REAL, f TEXT);
CREATE TABLE d(p TEXT COLLATE RTRIM, q TEXT COLLATE NOCASE UNIQUE); CREATE TABLE o(id INTEGER PRIMARY KEY, t TEXT);
CREATE VIEW nocase AS SELECT f, f COLLATE NOCASE AS n FROM c; CREATE TABLE e(n INT, t TEXT DEFAULT (+TRUE), q TEXT);
CREATE TABLE h(i INT, r REAL DEFAULT (CAST(1e20 AS INT)));
)");
  const auto catalog = read_catalog(db.get());
  ASSERT_TRUE(catalog.ok());
  for (const std::string query : {
           "SELECT v FROM a LEFT JOIN b ON a.x = b.x NATURAL LEFT JOIN c",
           "SELECT c.r FROM b RIGHT JOIN a USING (x) LEFT JOIN c USING (k)",
           "SELECT id FROM a WHERE x IS (y IS NOT NULL)",
           "SELECT id, count(*) OVER () FROM a WHERE x IS likely(y IS NOT NULL)",
           "SELECT group_concat(s) OVER (ORDER BY id ROWS 1 PRECEDING) FROM a",
           "SELECT sum(r) OVER (ORDER BY k ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) FROM c",
           "SELECT k FROM c WHERE r IN (5) AND (SELECT c.r FROM o ORDER BY t || '' LIMIT 1) / 2 = 2.5",
           "SELECT z FROM (SELECT sum(r) AS z FROM c) WHERE z IN (4) AND z / 3 > 1",
           "SELECT key FROM json_each('5') WHERE json = 5 AND typeof(json) = 'text'",
           "SELECT id FROM a WHERE s = json('[1]') AND json_quote(s) <> '[1]'",
           "SELECT id FROM a CROSS JOIN c WHERE a.s = c.f AND c.f COLLATE NOCASE = 'a'",
           "SELECT id FROM a JOIN nocase AS e ON a.s = e.f WHERE e.n = 'a'",
           "SELECT id FROM c CROSS JOIN a WHERE a.s < +n OR +n >= a.s",
           "SELECT v FROM d CROSS JOIN c ON q = c.n JOIN b ON b.k = c.k WHERE q GLOB 'b*'",
           "SELECT c.k FROM d CROSS JOIN c ON q = c.n WHERE c.n > 'a' COLLATE BINARY",
           "SELECT k FROM (SELECT k, r, 5 AS five FROM c) WHERE r = five AND (SELECT r FROM o ORDER BY t || '') / 2 = "
           "2.5",
           "SELECT z FROM (SELECT z, 4 AS four FROM (SELECT sum(r) AS z FROM c)) WHERE z = four AND z / 3 > 1",
           "SELECT p FROM d WHERE p IN ('x ', 'y')",
           "SELECT p FROM d WHERE p IN (SELECT s FROM a)",
           "SELECT k FROM b WHERE x IN (1, 2) AND v IS NOT NULL",
           "SELECT max(v) FROM b WHERE x IN (SELECT id FROM a)",
           "SELECT a.id, o.id FROM a LEFT JOIN c ON c.k = a.id JOIN o WHERE a.id = 1 ORDER BY o.id DESC",
           "SELECT row_number() OVER (ORDER BY a.id, o.id DESC) FROM a LEFT JOIN c ON c.k = a.id JOIN o",
           "SELECT b.k FROM a LEFT JOIN c ON c.k = a.id JOIN b ORDER BY b.v",
           "SELECT t FROM o GROUP BY id HAVING NOT EXISTS (SELECT 1 FROM b LEFT JOIN a ON a.x IS t)",
           "SELECT EXISTS (SELECT 1 FROM b WHERE x = t), t FROM o GROUP BY id",
           "SELECT (SELECT max(z.e) FROM a LEFT JOIN (SELECT m.n AS e FROM b) AS z ON 0) FROM (SELECT count(*) AS n "
           "FROM "
           "o) AS m",
           "SELECT k FROM b WHERE (x, v) IN (SELECT DISTINCT id, x FROM a ORDER BY 1, 2 LIMIT 1 OFFSET 1)",
           "SELECT DISTINCT a.id, b.x FROM a LEFT JOIN b ON b.k = a.x",
           "SELECT count(DISTINCT b.x) FROM b RIGHT JOIN a ON b.k = a.x",
           "SELECT q FROM d WHERE q LIKE '\u00ff%'",
           "SELECT c.k FROM d CROSS JOIN c ON q = f WHERE f GLOB '\u00ff*'",
           "SELECT max(v) FROM b WHERE k = 3 AND (x = 1 OR x = 2)",
           "SELECT max(v) FROM b, c WHERE x = c.k AND (c.k = 1 OR c.k IN (2))",
           "SELECT v FROM b CROSS JOIN a ON b.x = a.y WHERE a.y IN (1, 2) AND v > 3",
           "SELECT k FROM b WHERE x IN (SELECT id FROM a) AND k = v AND k > 3",
           "SELECT v FROM a CROSS JOIN b ON id = k WHERE k = -9223372036854775808.0",
           "SELECT v FROM a CROSS JOIN b ON id = k WHERE k IN ('-9223372036854775808', 5)",
           "SELECT k FROM b WHERE k = -9223372036854775808.0 AND typeof(k) = 'integer'",
           "SELECT k FROM b WHERE k IS '-9223372036854775808' AND k / 10 < 0",
           "SELECT n FROM e WHERE t = '1'",
           "SELECT k FROM (SELECT k, sum(DISTINCT x) FILTER (WHERE v > 5) AS n FROM b GROUP BY k) WHERE n > 1",
           "SELECT i FROM h WHERE r = 9223372036854775808.0",
           "SELECT k FROM b WHERE x IN (SELECT id FROM a) AND rowid < 11",
           "SELECT min(rowid) FROM b WHERE x IN (SELECT id FROM a) AND x % 2 = 0",
           "SELECT id FROM a WHERE (id, x) = (SELECT -9223372036854775808.0, 5)",
           "SELECT id FROM a WHERE (SELECT '-9223372036854775808', 5) IS (id, x)",
           "SELECT id FROM a CROSS JOIN c ON a.s = c.n WHERE (c.n, 1) = (SELECT 'a', 1)",
           "SELECT min(f) FROM c WHERE (f, k) = (SELECT CAST(100 AS INT), 1)",
           "SELECT d.p FROM c LEFT JOIN d ON (d.p, d.q) = (SELECT c.f, 'q')",
           "SELECT DISTINCT x FROM b ORDER BY x DESC NULLS FIRST LIMIT 10",
           "SELECT x FROM (SELECT DISTINCT x FROM b) UNION ALL SELECT k FROM c ORDER BY 1 NULLS LAST",
           "SELECT DISTINCT x FROM (SELECT x FROM b ORDER BY x NULLS LAST)",
           "SELECT count(*) FROM (SELECT DISTINCT n FROM (SELECT x AS n, v FROM b ORDER BY x DESC NULLS FIRST) WHERE "
           "v)",
           "SELECT z FROM (SELECT z FROM (SELECT sum(r) AS z FROM c) WHERE z / 3 > 1 UNION ALL SELECT k FROM b) WHERE "
           "z = "
           "4",
           "SELECT k FROM (SELECT k FROM b WHERE typeof(k) = 'integer' UNION ALL SELECT x FROM b) WHERE k = "
           "-9223372036854775808.0",
           "SELECT z FROM (SELECT sum(r) AS z FROM c), b WHERE x = 5 AND z = x - 1 AND z / 3 > 1",
           "SELECT z FROM (SELECT sum(r) AS z, count(*) AS n FROM c) JOIN b ON n = 4 AND z = abs(n) WHERE z / 3 > 1",
           "SELECT k FROM b WHERE v = 0 AND k = -9223372036854775808.0 + v AND typeof(k) = 'integer'",
           "SELECT s FROM a WHERE x = 8 AND s = json_array(x) AND json_array(s) = '[[8]]'",
           "SELECT r FROM c WHERE k = 5 AND r = k - 4 AND (SELECT c.r FROM o ORDER BY t || '' LIMIT 1) / 2 = 0.5",
           "SELECT z FROM (SELECT sum(r) AS z FROM c), b WHERE z = (b.k IS NOT NULL) AND z / 3 > 1",
           "SELECT z FROM (SELECT sum(r) AS z FROM c), a WHERE z = NOT (-a.rowid IS NULL) AND z / 3 > 1",
           "SELECT z FROM (SELECT sum(r) AS z FROM c), (SELECT 4 AS n FROM o UNION ALL SELECT 5 FROM o) WHERE z = n "
           "AND z "
           "/ 3 > 1",
           "SELECT k FROM b, (SELECT -9223372036854775808.0 AS n FROM o UNION ALL SELECT x FROM a) AS u WHERE b.k = "
           "u.n + 0 "
           "AND typeof(k) = 'integer'",
           "SELECT n FROM a LEFT JOIN (SELECT (SELECT b.k IS NOT NULL) AS n FROM b) ON x",
           "SELECT n FROM a LEFT JOIN (SELECT EXISTS (SELECT 1 WHERE b.k NOTNULL) AS n FROM b) ON x",
       })
    EXPECT_NE(find_sqlite_bug(plan_of(query, *catalog)), nullptr) << query;
}

TEST(SqliteBugs, AreSeen) {
  if (sqlite3_libversion_number() != 3040001) GTEST_SKIP() << "SQLite " << sqlite3_libversion();
  for (const auto& bug : sqlite_bugs()) {
    if (bug.query.empty()) continue;
    const auto db = open(bug.schema);
    EXPECT_NE(rows_of(db.get(), bug.query), rows_of(db.get(), bug.correct)) << bug.name;
  }
}

TEST(SqliteBugs, SubqueryValuesInOuterJoinsAreAvoided) {
  TRUSTSQL_SKIP_BEFORE_3_39();
  for (const auto& bug : sqlite_bugs()) {
    if (bug.name != "left_join_of_subquery_value") continue;
    const auto db = open(bug.schema);
    const auto catalog = read_catalog(db.get());
    ASSERT_TRUE(catalog.ok());
    for (const std::string_view query :
         {bug.query, std::string_view("SELECT c FROM (SELECT (SELECT 1) AS c FROM y) RIGHT JOIN x ON a")}) {
      const auto sql = to_sql(plan_of(query, *catalog));
      EXPECT_EQ(rows_of(db.get(), "SELECT count(c) FROM (" + sql + ")"), "2|\n") << sql;
    }
  }
}

}  // namespace
}  // namespace trustsql::plan
