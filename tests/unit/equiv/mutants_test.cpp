#include "equiv/mutants.hpp"

#include <set>

#include "sql/parser.hpp"
#include "sql/printer.hpp"
#include "unit/equiv/refuter_ground.hpp"

namespace trustsql::equiv {
namespace {

using test::RefuterGround;

std::set<std::string> texts(const std::string& sql, const Catalog* catalog = nullptr) {
  const auto query = *parse_query(sql);
  std::optional<Resolution> resolution;
  if (catalog != nullptr) resolution = *resolve(query, *catalog);
  std::set<std::string> all;
  for (const auto& mutant : mutants_of(query, resolution ? &*resolution : nullptr)) {
    EXPECT_TRUE(all.insert(std::string(name(mutant.kind)) + ": " + print_query(mutant.query)).second)
        << print_query(mutant.query);
  }
  return all;
}

TEST(MutantsTest, EachChangesOneThing) {
  EXPECT_EQ(texts("SELECT a FROM t WHERE a > 2 AND b = 'x'"),
            (std::set<std::string>{
                "distinct: SELECT DISTINCT a FROM t WHERE a > 2 AND b = 'x'",
                "condition: SELECT a FROM t",
                "condition: SELECT a FROM t WHERE a > 2",
                "condition: SELECT a FROM t WHERE b = 'x'",
                "logic: SELECT a FROM t WHERE a > 2 OR b = 'x'",
                "comparison: SELECT a FROM t WHERE a >= 2 AND b = 'x'",
                "comparison: SELECT a FROM t WHERE a < 2 AND b = 'x'",
                "comparison: SELECT a FROM t WHERE a > 2 AND b != 'x'",
                "comparison: SELECT a FROM t WHERE a > 2 AND b <= 'x'",
                "comparison: SELECT a FROM t WHERE a > 2 AND b >= 'x'",
                "constant: SELECT a FROM t WHERE a > 3 AND b = 'x'",
                "constant: SELECT a FROM t WHERE a > 1 AND b = 'x'",
                "constant: SELECT a FROM t WHERE a > 2 AND b = 'xx'",
            }));
}

TEST(MutantsTest, OfEveryKind) {
  const std::pair<const char*, const char*> expected[] = {
      {"SELECT max(a) FROM t", "aggregate: SELECT min(a) FROM t"},
      {"SELECT count(DISTINCT a) FROM t", "aggregate: SELECT count(a) FROM t"},
      {"SELECT a + 1 FROM t", "arithmetic: SELECT a - 1 FROM t"},
      {"SELECT 1 FROM t JOIN u ON t.a = u.a", "join: SELECT 1 FROM t LEFT JOIN u ON t.a = u.a"},
      {"SELECT 1 FROM t LEFT JOIN u ON t.a = u.a", "join: SELECT 1 FROM t JOIN u ON t.a = u.a"},
      {"SELECT 1 FROM t JOIN u ON t.a = u.a", "join: SELECT 1 FROM t JOIN u"},
      {"SELECT a FROM t UNION SELECT b FROM t", "set_operation: SELECT a FROM t UNION ALL SELECT b FROM t"},
      {"SELECT a FROM t GROUP BY a, b", "grouping: SELECT a FROM t GROUP BY b"},
      {"SELECT a FROM t ORDER BY a", "order: SELECT a FROM t ORDER BY a DESC"},
      {"SELECT a FROM t ORDER BY a", "order: SELECT a FROM t"},
      {"SELECT a FROM t LIMIT 3", "limit: SELECT a FROM t"},
      {"SELECT a FROM t LIMIT 3", "constant: SELECT a FROM t LIMIT 4"},
      {"SELECT a FROM t WHERE a NOT IN (1, 2)", "logic: SELECT a FROM t WHERE a IN (1, 2)"},
      {"SELECT a FROM t WHERE a NOT IN (1, 2)", "condition: SELECT a FROM t WHERE a NOT IN (1)"},
      {"SELECT a FROM t WHERE a BETWEEN 1 AND 9", "condition: SELECT a FROM t WHERE a <= 9"},
      {"SELECT a FROM t WHERE b LIKE '%x%'", "constant: SELECT a FROM t WHERE b LIKE 'x%'"},
      {"SELECT a FROM t WHERE EXISTS (SELECT 1 FROM u)", "logic: SELECT a FROM t WHERE NOT EXISTS (SELECT 1 FROM u)"},
      {"SELECT a FROM t WHERE a IN (SELECT a FROM u WHERE a = 5)",
       "comparison: SELECT a FROM t WHERE a IN (SELECT a FROM u WHERE a != 5)"},
  };
  for (const auto& [sql, mutant] : expected) EXPECT_TRUE(texts(sql).contains(mutant)) << sql << " -> " << mutant;
}

TEST(MutantsTest, ColumnsOfTheSameTable) {
  RefuterGround ground("CREATE TABLE t(a INT, b INT, c TEXT, d INT, e INT, f INT); CREATE TABLE u(z INT)");
  const auto all = texts("SELECT a FROM t, u WHERE z = 1", &ground.catalog());
  std::size_t columns = 0;
  for (const auto& text : all) columns += text.starts_with("column") ? 1 : 0;
  EXPECT_EQ(columns, 3U) << "of many columns only some, and u has no other";
  EXPECT_TRUE(all.contains("column: SELECT b FROM t, u WHERE z = 1"));
  EXPECT_FALSE(all.contains("column: SELECT c FROM t, u WHERE z = 1")) << "those of the same type first";
}

TEST(MutantsTest, StopsAtTheLimit) {
  std::string sql = "SELECT a FROM t WHERE a = 0";
  for (int i = 1; i < 500; ++i) sql += " OR a = " + std::to_string(i);
  EXPECT_EQ(mutants_of(*parse_query(sql), nullptr, 25).size(), 25U);
}

// The databases serve their purpose: nearly every mutant of these queries has a different meaning, and is refuted.
TEST(MutantsTest, AreRefuted) {
  RefuterGround ground(R"(CREATE TABLE team(id INTEGER PRIMARY KEY, name TEXT, city TEXT);
                          CREATE TABLE player(id INTEGER PRIMARY KEY, team_id INT REFERENCES team(id), name TEXT, goals INT, height REAL);)");
  const char* queries[] = {
      "SELECT name FROM player WHERE goals > 10 AND height < 1.8",
      "SELECT t.name, count(*) FROM team t JOIN player p ON p.team_id = t.id GROUP BY t.id HAVING count(*) > 3",
      "SELECT city FROM team WHERE id NOT IN (SELECT team_id FROM player WHERE goals BETWEEN 3 AND 8)",
      "SELECT name, goals FROM player ORDER BY goals DESC, id LIMIT 4",
      "SELECT avg(goals), max(height) FROM player WHERE name LIKE '%son%'",
      "SELECT name FROM team UNION SELECT name FROM player WHERE goals IN (1, 5) OR height >= 2",
  };
  int mutants = 0;
  int refuted = 0;
  for (const char* sql : queries) {
    const auto query = *parse_query(sql);
    const auto resolution = *resolve(query, ground.catalog());
    for (const auto& mutant : mutants_of(query, &resolution)) {
      RefuteOptions options;
      options.allowed = Deviations::all();
      options.shrink = false;
      const auto refutation = ground.refute(sql, print_query(mutant.query), options);
      if (!refutation.ok()) continue;
      ++mutants;
      if (refutation->counterexample) ++refuted;
    }
  }
  EXPECT_GT(mutants, 120);
  EXPECT_GE(refuted, mutants * 95 / 100) << refuted << " of " << mutants;
}

}  // namespace
}  // namespace trustsql::equiv
