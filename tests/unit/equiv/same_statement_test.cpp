// The same statement: what is one, and what in it may change from run to run.
#include "equiv/checker/same_statement.hpp"

#include <gtest/gtest.h>

#include "db/catalog/catalog_reader.hpp"
#include "equiv/prover.hpp"

namespace trustsql::equiv {
namespace {

class SameStatement : public testing::Test {
 protected:
  SameStatement() {
    sqlite3_open(":memory:", &db_);
    EXPECT_EQ(sqlite3_exec(db_,
                           "CREATE TABLE t(a INT, b TEXT, \"a b\" INT); CREATE TABLE u(a, d TEXT);"
                           "CREATE VIEW v AS SELECT a FROM t LIMIT 3; CREATE VIEW w AS SELECT random() AS r FROM v;"
                           "CREATE VIEW x AS SELECT * FROM w; CREATE VIRTUAL TABLE f USING fts5(body);",
                           nullptr, nullptr, nullptr),
              SQLITE_OK)
        << sqlite3_errmsg(db_);
    catalog_ = *read_catalog(db_);
  }
  ~SameStatement() override { sqlite3_close(db_); }

  bool proved(const std::string& a, const std::string& b) const {
    return prove_same_statement(a, b, catalog_, {}).has_value();
  }
  bool proved(const std::string& sql) const { return proved(sql, sql); }
  std::optional<std::string> rejected(const std::string& a, const std::string& b) const {
    return checker::reject_same_statement(a, b, catalog_);
  }

  // The program that SQLite compiles a statement to, without its comments, which name tables as the query does.
  std::string program(const std::string& sql) const {
    std::string program;
    const auto add_row = [](void* text, int columns, char** values, char**) {
      if (std::string_view(values[1]) == "Explain") return 0;
      for (int i = 0; i < columns; ++i) static_cast<std::string*>(text)->append(values[i] ? values[i] : "").append(" ");
      return 0;
    };
    EXPECT_EQ(sqlite3_exec(db_, ("EXPLAIN " + sql).c_str(), add_row, &program, nullptr), SQLITE_OK)
        << sql << "\n"
        << sqlite3_errmsg(db_);
    return program;
  }

  sqlite3* db_ = nullptr;
  Catalog catalog_;
};

TEST_F(SameStatement, WhateverTheQueryLeavesOpen) {
  for (const char* sql : {
           "SELECT a FROM t LIMIT 1",
           "SELECT a, b FROM t GROUP BY b",
           "SELECT group_concat(a) FROM t",
           "SELECT row_number() OVER (ORDER BY b) FROM t",
           "SELECT (SELECT a FROM u) FROM t",
           "SELECT a FROM v",
           "SELECT a FROM t UNION SELECT d FROM u",
           "SELECT t.a FROM t, json_each('[1,2]') AS j WHERE t.a = j.value LIMIT 1",
           "WITH c AS (SELECT a FROM t LIMIT 1) SELECT * FROM c",
           "WITH RECURSIVE c(n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM c LIMIT 3) SELECT * FROM c",
           "SELECT strftime('%Y', d) FROM u ORDER BY a LIMIT 1",
           "SELECT date(d, '+5 seconds') FROM u LIMIT 1",
           "SELECT sql FROM sqlite_master LIMIT 1",
           "SELECT a FROM t WHERE a = ?1 LIMIT 1",
       })
    EXPECT_TRUE(proved(sql)) << sql;
}

TEST_F(SameStatement, WrittenInAnotherWay) {
  EXPECT_TRUE(proved("SELECT a FROM t WHERE a <> 1 LIMIT 1", "select  A from T where (a != 1) -- ties\n limit 1;"));
  EXPECT_TRUE(
      proved("SELECT a AS x FROM t INNER JOIN u USING (a) LIMIT 1", "SELECT a x FROM t JOIN u USING (A) LIMIT 1"));
  EXPECT_TRUE(proved("SELECT a+1 FROM t LIMIT 1", "SELECT a + 1 FROM t LIMIT 1"));
  EXPECT_TRUE(proved("SELECT \"a b\", a+1 FROM t LIMIT 1", "SELECT \"a b\", a+1 FROM t LIMIT 1"));
}

// SQLite resolves names before it chooses a plan.
TEST_F(SameStatement, OtherNames) {
  const std::pair<const char*, const char*> pairs[] = {
      {"SELECT b FROM t ORDER BY a LIMIT 1", "SELECT T1.b AS z FROM t AS T1 ORDER BY T1.a LIMIT 1"},
      {"SELECT b FROM t ORDER BY \"a b\" LIMIT 1", "SELECT main.t.b FROM main.t ORDER BY [a b] LIMIT 1"},
      {"SELECT b, count(*) AS n FROM t GROUP BY b ORDER BY n DESC LIMIT 1",
       "SELECT t.b, count(*) FROM t GROUP BY 1 ORDER BY 2 DESC LIMIT 1"},
      {"SELECT b, count(*) AS n FROM t GROUP BY b ORDER BY n DESC LIMIT 1",
       "SELECT x.b, count(*) FROM T AS x GROUP BY x.b ORDER BY count(*) DESC LIMIT 1"},
      {"SELECT a AS k FROM t WHERE k > 1 LIMIT 1", "SELECT x.a AS z FROM t AS x WHERE z > 1 LIMIT 1"},
      {"SELECT x.b FROM t AS x JOIN u AS y ON x.a = y.a LIMIT 1", "SELECT b FROM t JOIN u ON t.a = u.a LIMIT 1"},
      {"SELECT x.b FROM t AS x LEFT JOIN u AS y USING (a) LIMIT 1", "SELECT b FROM t LEFT JOIN u USING (A) LIMIT 1"},
      {"SELECT a FROM t FULL JOIN u USING (a) LIMIT 1", "SELECT a FROM t AS x FULL JOIN u AS y USING (a) LIMIT 1"},
      {"SELECT x.* FROM t AS x NATURAL JOIN u LIMIT 1", "SELECT t.* FROM t NATURAL JOIN u AS y LIMIT 1"},
      {"SELECT p FROM (SELECT a AS p, b FROM t ORDER BY b LIMIT 4) LIMIT 1",
       "SELECT s.q FROM (SELECT t.a AS q, t.b FROM t ORDER BY t.b LIMIT 4) AS s LIMIT 1"},
      {"SELECT (SELECT d FROM u WHERE u.a = t.a LIMIT 1) FROM t",
       "SELECT (SELECT y.d FROM u AS y WHERE y.a = x.a LIMIT 1) FROM t AS x"},
      {"WITH c AS (SELECT a, b FROM t LIMIT 3) SELECT x.a FROM c AS x, c AS y LIMIT 1",
       "WITH z(p, q) AS (SELECT a, b FROM t LIMIT 3) SELECT r.p FROM z AS r, z AS s LIMIT 1"},
      {"WITH RECURSIVE c(n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM c LIMIT 3) SELECT * FROM c",
       "WITH RECURSIVE z(m) AS (VALUES (1) UNION ALL SELECT z.m + 1 FROM z LIMIT 3) SELECT * FROM z"},
      {"SELECT a FROM t UNION ALL SELECT a FROM u ORDER BY 1 LIMIT 2",
       "SELECT t.a AS k FROM t UNION ALL SELECT u.a FROM u ORDER BY k LIMIT 2"},
      {"SELECT a FROM v LIMIT 1", "SELECT z.a FROM v AS z LIMIT 1"},
      {"SELECT row_number() OVER (ORDER BY b) FROM t", "SELECT row_number() OVER (ORDER BY x.b) AS n FROM t AS x"},
  };
  for (const auto& [a, b] : pairs) {
    EXPECT_TRUE(proved(a, b)) << a << "\n" << b;
    EXPECT_TRUE(proved(b, a)) << a << "\n" << b;
    EXPECT_EQ(program(a), program(b)) << a << "\n" << b;
  }
}

TEST_F(SameStatement, NamesOfOtherThings) {
  const std::pair<const char*, const char*> pairs[] = {
      {"SELECT b FROM t ORDER BY a LIMIT 1", "SELECT b FROM t ORDER BY \"a b\" LIMIT 1"},
      {"SELECT x.b FROM t AS x, t AS y LIMIT 1", "SELECT y.b FROM t AS x, t AS y LIMIT 1"},
      {"SELECT x.b FROM t AS x, t AS y ORDER BY x.a LIMIT 1", "SELECT x.b FROM t AS x, t AS y ORDER BY y.a LIMIT 1"},
      {"SELECT x.* FROM t AS x, u LIMIT 1", "SELECT x.* FROM t, u AS x LIMIT 1"},
      {"SELECT a AS b FROM t ORDER BY b LIMIT 1", "SELECT a FROM t ORDER BY b LIMIT 1"},
      {"SELECT a + 1 AS k FROM t ORDER BY k LIMIT 1", "SELECT a + 1 FROM t ORDER BY a LIMIT 1"},
      {"SELECT a FROM t GROUP BY 1 LIMIT 1", "SELECT a FROM t GROUP BY b LIMIT 1"},
      {"SELECT b AS z FROM t ORDER BY z COLLATE nocase LIMIT 1", "SELECT b AS z FROM t ORDER BY z LIMIT 1"},
      {"SELECT b FROM t WHERE b = \"x\" LIMIT 1", "SELECT b FROM t WHERE b = \"X\" LIMIT 1"},
      {"SELECT b FROM t WHERE b = \"x\" LIMIT 1", "SELECT b FROM t WHERE b = '\"x' LIMIT 1"},
      {"SELECT a FROM t WHERE TRUE LIMIT 1", "SELECT a FROM t WHERE FALSE LIMIT 1"},
      {"SELECT (SELECT d FROM u WHERE a = t.a LIMIT 1) FROM t",
       "SELECT (SELECT d FROM u WHERE a = u.a LIMIT 1) FROM t"},
      {"WITH c AS (SELECT a FROM t LIMIT 3), d AS (SELECT a FROM t LIMIT 3) SELECT 1 FROM c, d LIMIT 1",
       "WITH c AS (SELECT a FROM t LIMIT 3), d AS (SELECT a FROM t LIMIT 3) SELECT 1 FROM c, c AS d LIMIT 1"},
      {"WITH c AS (SELECT a FROM t LIMIT 3) SELECT * FROM c", "WITH c AS (SELECT a FROM v LIMIT 3) SELECT * FROM c"},
      {"SELECT * FROM (SELECT a AS p, b AS q FROM t) JOIN (SELECT a AS p, d AS r FROM u) USING (p) LIMIT 1",
       "SELECT * FROM (SELECT a AS p, b AS q FROM t) JOIN (SELECT a AS r, d AS p FROM u) USING (p) LIMIT 1"},
      {"SELECT * FROM (SELECT a AS p, b AS q FROM t) NATURAL JOIN (SELECT a AS p, d AS r FROM u) LIMIT 1",
       "SELECT * FROM (SELECT a AS p, b AS q FROM t) NATURAL JOIN (SELECT a AS k, d AS r FROM u) LIMIT 1"},
  };
  for (const auto& [a, b] : pairs) {
    EXPECT_FALSE(proved(a, b)) << a << "\n" << b;
    EXPECT_TRUE(checker::reject_renamed_statement(a, b, catalog_)) << a << "\n" << b;
    EXPECT_NE(program(a), program(b)) << a << "\n" << b;
  }
}

TEST_F(SameStatement, AnotherStatement) {
  const auto different = [&](const std::string& a, const std::string& b) {
    EXPECT_FALSE(proved(a, b)) << a << "\n" << b;
    EXPECT_TRUE(rejected(a, b)) << a << "\n" << b;
  };
  different("SELECT a FROM t LIMIT 1", "SELECT a FROM t LIMIT 2");
  different("SELECT a FROM t LIMIT 1", "SELECT a FROM t NOT INDEXED LIMIT 1");
  different("SELECT t.a FROM t, u LIMIT 1", "SELECT t.a FROM t JOIN u LIMIT 1");
  different("SELECT t.a FROM t JOIN u LIMIT 1", "SELECT t.a FROM t CROSS JOIN u LIMIT 1");
  different("SELECT a FROM t WHERE b = 'x' LIMIT 1", "SELECT a FROM t WHERE b = 'X' LIMIT 1");
  different("SELECT a FROM t WHERE +a = 1 LIMIT 1", "SELECT a FROM t WHERE a = 1 LIMIT 1");
  different("WITH c AS MATERIALIZED (SELECT a FROM t LIMIT 1) SELECT * FROM c",
            "WITH c AS (SELECT a FROM t LIMIT 1) SELECT * FROM c");
  // "x" is a string, since no column has that name.
  different("SELECT a FROM t WHERE b = \"x\" LIMIT 1", "SELECT a FROM t WHERE b = \"X\" LIMIT 1");
}

// SQLite names a column by the text of its expression.
TEST_F(SameStatement, ColumnsNamedByTheirText) {
  const std::string with_blanks = "SELECT \"a + 1\" FROM (SELECT a + 1 FROM t)";
  const std::string without = "SELECT \"a + 1\" FROM (SELECT a+1 FROM t)";
  EXPECT_TRUE(proved(with_blanks));
  EXPECT_FALSE(proved(with_blanks, without));
  EXPECT_TRUE(rejected(with_blanks, without));
  const std::string natural = "SELECT * FROM (SELECT a+1 FROM t) NATURAL JOIN (SELECT a+1 FROM u)";
  const std::string crossed = "SELECT * FROM (SELECT a + 1 FROM t) NATURAL JOIN (SELECT a+1 FROM u)";
  EXPECT_FALSE(proved(natural, crossed));
  EXPECT_TRUE(rejected(natural, crossed));
}

TEST_F(SameStatement, ResultsThatMayChange) {
  for (const char* sql : {
           "SELECT random()",
           "SELECT a FROM t ORDER BY abs(random()) LIMIT 1",
           "SELECT hex(randomblob(4))",
           "SELECT changes()",
           "SELECT total_changes() FROM t",
           "SELECT last_insert_rowid()",
           "SELECT sqlite_offset(a) FROM t",
           "SELECT current_timestamp",
           "SELECT a FROM u WHERE d < CURRENT_DATE",
           "SELECT current_date()",
           "SELECT date()",
           "SELECT strftime('%Y')",
           "SELECT julianday('NOW')",
           "SELECT date('n' || 'ow')",
           "SELECT date(lower('NOW'))",
           "SELECT datetime(d, 'localtime') FROM u",
           "SELECT date(CAST(x'6e6f77' AS TEXT))",
           "SELECT my_function(a) FROM t",
           "SELECT a FROM t WHERE b REGEXP 'x'",
           "SELECT a FROM t WHERE b = 'x' COLLATE german",
           "SELECT r FROM w",
           "SELECT r FROM x",
           "SELECT body FROM f",
           "SELECT a FROM t WHERE b IN f",
           "SELECT * FROM pragma_table_info('t')",
           "SELECT name FROM pragma_database_list",
           "SELECT value FROM generate_series(1, 3)",
           "SELECT ((SELECT max(random()) FROM t)) IN (SELECT a FROM u)",
       }) {
    EXPECT_FALSE(proved(sql)) << sql;
    EXPECT_TRUE(rejected(sql, sql)) << sql;
    EXPECT_TRUE(checker::reject_renamed_statement(sql, sql, catalog_)) << sql;
  }
}

}  // namespace
}  // namespace trustsql::equiv
