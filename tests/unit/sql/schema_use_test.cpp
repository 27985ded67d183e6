// The schema elements of a query, and the clauses that they occur in.
#include "sql/schema_use.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "db/catalog/catalog_reader.hpp"
#include "db/sqlite/sqlite_api.hpp"
#include "sql/parser.hpp"

namespace trustsql {
namespace {

class SchemaUses : public ::testing::Test {
 protected:
  SchemaUses() {
    sqlite3* db = nullptr;
    sqlite3_open(":memory:", &db);
    sqlite3_exec(db,
                 "CREATE TABLE t(a INTEGER PRIMARY KEY, b, c); CREATE TABLE u(a, d); CREATE VIEW v AS SELECT b AS x, c "
                 "AS y FROM t WHERE a > 1",
                 nullptr, nullptr, nullptr);
    catalog_ = *read_catalog(db);
    sqlite3_close(db);
  }

  // "t.a select", "v>t.b select", "t. from" ...
  std::vector<std::string> uses(std::string_view sql) {
    const auto query = parse_query(sql);
    EXPECT_TRUE(query.ok());
    const auto resolution = resolve(*query, catalog_);
    EXPECT_TRUE(resolution.ok()) << resolution.error().message;
    std::vector<std::string> uses;
    for (const auto& use : schema_uses(*resolution)) {
      uses.push_back((use.via != nullptr ? use.via->name + ">" : "") + use.table->name + "." + std::string(use.name) +
                     " " + std::string(clause_name(use.clause)));
    }
    return uses;
  }

  using Uses = std::vector<std::string>;
  Catalog catalog_;
};

TEST_F(SchemaUses, ClauseByClause) {
  EXPECT_EQ(uses("SELECT x.b FROM t AS x JOIN u ON x.a = u.a WHERE d = 1 GROUP BY x.b HAVING max(c) > 1 ORDER BY d"),
            (Uses{"t.b select", "t.a join", "u.a join", "u.d where", "t.b group by", "t.c having", "u.d order by"}));
}

TEST_F(SchemaUses, WhatStandsForColumns) {
  EXPECT_EQ(uses("SELECT * FROM u"), (Uses{"u.a select", "u.d select"}));
  EXPECT_EQ(uses("SELECT 1 FROM t JOIN u USING (a)"), (Uses{"t.a join", "u.a join"}));
  EXPECT_EQ(uses("SELECT b + 1 AS n FROM t ORDER BY n"), (Uses{"t.b select", "t.b order by"}));
  EXPECT_EQ(uses("SELECT rowid FROM t"), (Uses{"t.a select"}));
  EXPECT_EQ(uses("SELECT rowid FROM u"), (Uses{"u.rowid select"}));
  EXPECT_EQ(uses("SELECT sum(b) OVER w FROM t WINDOW w AS (ORDER BY c)"), (Uses{"t.c select", "t.b select"}));
}

TEST_F(SchemaUses, TablesWithoutColumns) {
  EXPECT_EQ(uses("SELECT count(*) FROM t"), (Uses{"t. from"}));
  EXPECT_EQ(uses("SELECT \"nope\" FROM t, u WHERE d"), (Uses{"u.d where", "t. from"}));
}

TEST_F(SchemaUses, SubqueriesAreNoElements) {
  EXPECT_EQ(uses("WITH k AS (SELECT b AS z FROM t) SELECT z FROM k WHERE z IN (SELECT d FROM u)"),
            (Uses{"t.b select", "u.d select"}));
  EXPECT_EQ(uses("SELECT (SELECT d FROM u WHERE u.a = t.a) FROM t"), (Uses{"u.d select", "u.a where", "t.a where"}));
}

TEST_F(SchemaUses, Views) {
  EXPECT_EQ(uses("SELECT x FROM v"), (Uses{"v.x select", "v>t.b select", "v>t.c select", "v>t.a where"}));
}

TEST_F(SchemaUses, LeaveOutWhatSqliteNeverLooksAt) {
  EXPECT_EQ(uses("SELECT b FROM t WHERE 0 AND c IN (SELECT d FROM u)"), (Uses{"t.b select"}));
}

}  // namespace
}  // namespace trustsql
