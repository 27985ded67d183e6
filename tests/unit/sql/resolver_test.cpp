// The resolver against SQLite on queries made for its rules: the same ones resolve, others fail with the same message;
// the same names of result columns, and the same columns read.
#include "sql/resolver.hpp"

#include <gtest/gtest.h>

#include "base/text.hpp"
#include "db/catalog/catalog_reader.hpp"
#include "sql/parser.hpp"
#include "unit/sql/resolver_queries.hpp"
#include "unit/sql/sqlite_oracle.hpp"
#include "unit/test_run.hpp"

namespace trustsql {
namespace {

constexpr const char* schema = R"(
  CREATE TABLE t(a INTEGER PRIMARY KEY, b TEXT, c REAL NOT NULL, d);
  CREATE TABLE u(a INT, e TEXT COLLATE NOCASE, f);
  CREATE TABLE w(a, b, g);
  CREATE TABLE "odd table"("odd column", 'true', "select" INT, [a:1]);
  CREATE TABLE k(x TEXT, y INT, PRIMARY KEY(x, y)) WITHOUT ROWID;
  CREATE TABLE s(i INT NOT NULL, r REAL, n TEXT, z BLOB, q ANY) STRICT;
  CREATE TABLE g(p INT, v INT AS (p + 1), l TEXT GENERATED ALWAYS AS (p || 'x') STORED);
  CREATE INDEX ti ON t(b);
  CREATE VIEW v1 AS SELECT a, b AS bee, c + 1 FROM t;
  CREATE VIEW v2(p, q) AS SELECT A, count(*) FROM u GROUP BY a;
  CREATE VIEW v3 AS SELECT * FROM v1 JOIN v2 ON v1.a = v2.p;
  CREATE VIEW v4 AS SELECT "nope" AS s, true AS yes FROM u;
  CREATE VIEW v5 AS WITH x AS (SELECT 1 AS one) SELECT one, (SELECT max(a) FROM t) FROM x;
  CREATE VIEW bad1 AS SELECT missing FROM t;
  CREATE VIEW bad2 AS SELECT * FROM missing;
  CREATE VIEW bad3(x) AS SELECT a, b FROM t;
  CREATE VIEW loop1 AS SELECT * FROM loop2;
  CREATE VIEW loop2 AS SELECT * FROM loop1;
  CREATE VIRTUAL TABLE fts USING fts5(title, body);
  ATTACH ':memory:' AS aux;
  CREATE TABLE aux.t(aa, bb);
  CREATE TABLE aux.only(oo);
  CREATE TEMP TABLE tmp(tt);
  CREATE TEMP TABLE w(temporary);
  CREATE TEMP VIEW tv AS SELECT * FROM w, aux.only;
)";

class ResolverTest : public ::testing::Test {
 protected:
  ResolverTest() {
    sqlite3_open(":memory:", &db_);
    char* message = nullptr;
    EXPECT_EQ(sqlite3_exec(db_, schema, nullptr, nullptr, &message), SQLITE_OK) << message;
    catalog_ = *read_catalog(db_);
    rowid_in_views_ = testing_support::prepare(db_, "SELECT rowid FROM (SELECT 1)").ok;
  }
  ~ResolverTest() override { sqlite3_close(db_); }

  // "" if the resolver and SQLite agree on `sql`, otherwise the difference.
  std::string disagreement(const std::string& sql) {
    const auto sqlite = testing_support::prepare(db_, sql);
    const auto parsed = parse_query(sql, {.version = sqlite3_libversion_number()});
    if (!parsed.ok()) return sqlite.ok ? "the parser says: " + parsed.error().message : "";
    const auto resolution =
        resolve(*parsed, catalog_,
                {.functions = &functions_, .rowid_in_views = rowid_in_views_, .version = sqlite3_libversion_number()});
    const auto message = resolution.ok() ? "" : resolution.error().message;
    if (message != sqlite.message) return "SQLite says '" + sqlite.message + "', the resolver '" + message + "'";
    if (!resolution.ok()) return "";
    const auto names = testing_support::names(*resolution);
    if (names != sqlite.names)
      return "SQLite's columns: " + join(sqlite.names, ", ") + "; the resolver's: " + join(names, ", ");
    return testing_support::compare_reads(sqlite.reads, *resolution).unexplained;
  }

  sqlite3* db_ = nullptr;
  Catalog catalog_;
  bool rowid_in_views_ = false;
  FunctionTable functions_ = FunctionTable::built_in(sqlite3_libversion_number());
};

TEST_F(ResolverTest, AgreesWithSqlite) {
  TRUSTSQL_SKIP_BEFORE_3_39();
  for (const auto& sql : testing_support::resolver_queries()) EXPECT_EQ(disagreement(sql), "") << sql;
}

}  // namespace
}  // namespace trustsql
