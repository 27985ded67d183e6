// The affinity and the collation that a column of a subquery in FROM has from the parts of a compound query, against
// the comparisons that SQLite makes with it. Versions of SQLite differ in this.
#include <gtest/gtest.h>

#include <array>
#include <random>
#include <string>
#include <vector>

#include "db/catalog/catalog_reader.hpp"
#include "db/sqlite/statement.hpp"
#include "sql/parser.hpp"
#include "sql/resolver.hpp"
#include "unit/test_run.hpp"

namespace trustsql {
namespace {

constexpr const char* schema_of_columns = R"(
  CREATE TABLE v(i INTEGER, r REAL, n NUMERIC, t TEXT, c TEXT COLLATE NOCASE, b BLOB, u);
  INSERT INTO v VALUES (5, 5, 5, '5', 'a', x'35', '5'), (6, 2.5, 'A', 'A', 'A', 'a', 5), (0, 0, 'b', 'B ', '5', 5, NULL);
  CREATE TABLE l(w TEXT COLLATE NOCASE, k INT, m COLLATE RTRIM);
  CREATE TABLE o(w TEXT, k TEXT, m);
  CREATE TABLE p(w, k, m);
  INSERT INTO l VALUES ('a', 5, 'A '), ('b', 6, 5);
  INSERT INTO o VALUES ('A', '5', 'A'), ('c', 'B', '5');
  INSERT INTO p VALUES ('A', '5', 'a'), ('d', 'A', 'A');
)";

// A column's expression; the value 5 and the text '5', which most of them have, tell affinities apart.
constexpr std::array<const char*, 51> column_terms = {
    "i",
    "r",
    "n",
    "t",
    "c",
    "b",
    "u",
    "rowid",
    "+i",
    "+t",
    "+c",
    "CAST(t AS TEXT)",
    "CAST(i AS INT)",
    "CAST(t AS BLOB)",
    "CAST(t AS REAL)",
    "CAST(t AS NUMERIC)",
    "CAST(c AS TEXT)",
    "+CAST(i AS INT)",
    "'5'",
    "5",
    "5.0",
    "x'35'",
    "NULL",
    "i + 0",
    "-i",
    "~i",
    "NOT i",
    "i || ''",
    "(SELECT t)",
    "(SELECT i)",
    "(SELECT +t)",
    "(SELECT t UNION ALL SELECT i LIMIT 1)",
    "(SELECT t UNION SELECT CAST(i AS TEXT) ORDER BY 1 COLLATE NOCASE LIMIT 1)",
    "(VALUES (CAST('5' AS INT)), (CAST(5 AS INT)))",
    "max(i, 5)",
    "coalesce(t, 5)",
    "CASE WHEN i = 5 THEN t ELSE i END",
    "CASE i WHEN 5 THEN '5' END",
    "CASE i WHEN 5 THEN 5 ELSE NULL END",
    "t LIKE '5'",
    "t NOT LIKE '5'",
    "i IN (5)",
    "i NOT IN (5)",
    "i IS NULL",
    "i BETWEEN 1 AND 5",
    "EXISTS (SELECT 1)",
    "t COLLATE NOCASE",
    "likely(i)",
    "TRUE",
    "CURRENT_DATE",
    "i = 5 AND 0",
};

class ColumnTypes : public ::testing::Test {
 protected:
  ColumnTypes() {
    sqlite3_open(":memory:", &db_);
    run(schema_of_columns);
    catalog_ = *read_catalog(db_);
  }
  ~ColumnTypes() override { sqlite3_close(db_); }

  void run(const std::string& sql) {
    EXPECT_EQ(sqlite3_exec(db_, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK) << sqlite3_errmsg(db_) << sql;
  }

  // `from`: a FROM clause; `column`: the name of a column in it. Compares it with other values as it is, and again in a
  // form that has the affinity and the collation that the resolver has found.
  void check(const std::string& with, const std::string& from, const std::string& column) {
    const auto parsed = parse_query(with + "SELECT " + column + " FROM " + from, options_.grammar());
    ASSERT_TRUE(parsed.ok()) << parsed.error().message;
    const auto resolution = resolve(*parsed, catalog_, options_);
    ASSERT_TRUE(resolution.ok()) << resolution.error().message << "\n" << with << from;
    const ExprType type = resolution->query().columns.front().type;
    const auto& relation = *resolution->relations().front();
    if (relation.columns.front().is_open) return;
    std::string explicitly = "+" + column;
    if (type.affinity != Affinity::none) {
      const std::string name = is_numeric(type.affinity)         ? "NUMERIC"
                               : type.affinity == Affinity::text ? "TEXT"
                                                                 : "BLOB";
      explicitly = "(SELECT +" + column + " UNION ALL SELECT CAST(NULL AS " + name + ") WHERE 0)";
    }
    const std::string collation = " COLLATE " + std::string(type.collation.name);
    std::string select = with + "SELECT quote(" + column + ")";
    for (const std::string other : {"'5'", "5", "x'35'", "CAST('5' AS TEXT)", "CAST(5 AS INT)", "'A'", "'a '", "5.0"}) {
      select += ", " + column + " = " + other + ", " + explicitly + collation + " = " + other;
      select += ", " + column + " < " + other + ", " + explicitly + collation + " < " + other;
    }
    // Neither the WHERE nor the LIMIT of the subquery lets SQLite dissolve it.
    select += " FROM " + from + " WHERE quote(" + column + ") IS NOT 1";
    sqlite3_stmt* statement = nullptr;
    ASSERT_EQ(sqlite3_prepare_v2(db_, select.c_str(), -1, &statement, nullptr), SQLITE_OK)
        << sqlite3_errmsg(db_) << "\n"
        << select;
    bool same = true;
    std::string values;
    while (sqlite3_step(statement) == SQLITE_ROW) {
      values += std::string(" ") + reinterpret_cast<const char*>(sqlite3_column_text(statement, 0));
      for (int i = 1; i < sqlite3_column_count(statement); i += 2) {
        same = same && sqlite3_column_type(statement, i) == sqlite3_column_type(statement, i + 1) &&
               sqlite3_column_int(statement, i) == sqlite3_column_int(statement, i + 1);
      }
    }
    sqlite3_finalize(statement);
    EXPECT_TRUE(same) << "not affinity " << static_cast<int>(type.affinity) << collation << " of " << column << ": "
                      << with << from << "\n with the values" << values;
    ++checked_;
  }

  sqlite3* db_ = nullptr;
  Catalog catalog_;
  FunctionTable functions_ = FunctionTable::built_in(sqlite3_libversion_number());
  ResolveOptions options_{.functions = &functions_, .version = sqlite3_libversion_number()};
  int checked_ = 0;
};

TEST_F(ColumnTypes, OfCompoundQueries) {
  std::mt19937 random(1);
  const auto any = [&] { return std::string(column_terms[random() % column_terms.size()]); };
  for (const std::string first : column_terms) {
    check({}, "(SELECT " + first + " AS x FROM v LIMIT 9)", "x");
    for (const std::string second : column_terms) {
      const std::string op = random() % 3 != 0 ? "UNION ALL" : random() % 2 == 0 ? "UNION" : "EXCEPT";
      check({}, "(SELECT " + first + " AS x FROM v " + op + " SELECT " + second + " FROM v LIMIT 9)", "x");
    }
  }
  for (int i = 0; i < 2000; ++i) {
    const auto arms = "SELECT " + any() + " AS x FROM v UNION ALL SELECT " + any() + " FROM v UNION ALL SELECT " +
                      any() + " FROM v LIMIT 9";
    check({}, "(" + arms + ")", "x");
    check("WITH q(x) AS (" + arms + ") ", "q", "x");
  }
  EXPECT_GT(checked_, 5000);
}

TEST_F(ColumnTypes, OfViews) {
  std::mt19937 random(2);
  const auto any = [&] { return std::string(column_terms[random() % column_terms.size()]); };
  for (int i = 0; i < 500; ++i) {
    const auto arms = any() + " AS x FROM v UNION SELECT " + any() + " FROM v LIMIT 9";
    run("DROP VIEW IF EXISTS named; DROP VIEW IF EXISTS plain");
    run("CREATE VIEW named(x) AS SELECT " + arms + "; CREATE VIEW plain AS SELECT " + arms);
    catalog_ = *read_catalog(db_);
    check({}, "named", "x");
    check({}, "plain", "x");
  }
}

TEST_F(ColumnTypes, OfRecursiveTables) {
  constexpr std::array<const char*, 12> steps = {
      "x", "y",    "+x",     "x + 0",          "CAST(y AS TEXT)", "'5'",
      "5", "NULL", "x || y", "CAST(x AS INT)", "(SELECT y)",      "(SELECT t FROM v)"};
  std::mt19937 random(3);
  const auto any = [&] { return std::string(column_terms[random() % column_terms.size()]); };
  const auto step = [&] { return std::string(steps[random() % steps.size()]); };
  for (int i = 0; i < 3000; ++i) {
    const auto with = "WITH RECURSIVE q(x, y) AS (SELECT " + any() + ", " + any() + " FROM v UNION ALL SELECT " +
                      step() + ", " + step() + " FROM q LIMIT 9) ";
    check(with, "q", "x");
    check(with, "q", "y");
  }
}

// Of VALUES with several rows; rows of different affinities are no concern here (Attribute::is_open).
TEST_F(ColumnTypes, OfValues) {
  const std::vector<std::vector<std::string>> alike = {
      {"5", "'5'", "x'35'", "1 + 4", "NULL", "+CAST(5 AS INT)", "(SELECT +t FROM v)"},
      {"CAST(5 AS INT)", "CAST('5' AS INTEGER)", "(SELECT i FROM v)"},
      {"CAST('5' AS TEXT)", "CAST(5 AS TEXT)", "(SELECT t FROM v)"}};
  for (const auto& values : alike) {
    for (const auto& first : values) {
      for (const auto& second : values)
        check({}, "(SELECT column1 AS x FROM (VALUES (" + first + "), (" + second + ")) LIMIT 9)", "x");
    }
  }
}

TEST_F(ColumnTypes, OfMergedColumns) {
  TRUSTSQL_SKIP_BEFORE_3_39();
  for (const std::string column : {"w", "k", "m"}) {
    for (const std::string tables : {"l FULL JOIN o USING (w, k, m)", "o NATURAL FULL JOIN l", "p NATURAL FULL JOIN l",
                                     "l FULL JOIN o USING (w, k, m) FULL JOIN p USING (w, k, m)",
                                     "p LEFT JOIN (l FULL JOIN o USING (w, k, m)) USING (w)",
                                     "p FULL JOIN (l NATURAL FULL JOIN o) USING (w, k, m)",
                                     "p FULL JOIN (o NATURAL FULL JOIN l) AS g USING (w, k, m)"}) {
      if (tables.find("USING (w)") != std::string::npos && column != "w") continue;
      check({}, tables, column);
      check({}, "(SELECT " + column + " AS x FROM " + tables + " LIMIT 9)", "x");
      check({}, "(SELECT " + column + " AS x FROM " + tables + " UNION ALL SELECT '5' LIMIT 9)", "x");
    }
    check({}, "p LEFT JOIN (l FULL JOIN o USING (w, k, m)) AS g ON 1", "g." + column);
    check({}, "p LEFT JOIN (o FULL JOIN l USING (w, k, m)) AS g ON 1", "g." + column);
  }
}

}  // namespace
}  // namespace trustsql
