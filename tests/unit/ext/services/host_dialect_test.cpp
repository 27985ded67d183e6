// sql_check() against what the host connection itself prepares, where that depends on the host alone.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "db/sqlite/sqlite_api.hpp"
#include "trustsql/trustsql.h"
#include "unit/ext/support.hpp"

namespace trustsql {
namespace {

using ext::testing_support::Database;

class HostDialectTest : public testing::Test {
 protected:
  HostDialectTest() { db_.load(sqlite3_trustsql_init); }

  // The message with which `sql` fails to prepare, if it does, and what sql_check() says.
  void expect_same(const std::string& sql) {
    const auto checked = db_.value("SELECT coalesce(json_extract(sql_check('" + sql + "'), '$.message'), '')");
    EXPECT_EQ(checked, db_.error("EXPLAIN " + sql)) << sql;
  }

  Database db_{"CREATE TABLE t(a); CREATE VIEW v AS SELECT a FROM t"};
};

// Some builds of SQLite have them.
TEST_F(HostDialectTest, RowidsOfViewsAndSubqueries) {
  for (const char* sql :
       {"SELECT rowid FROM v", "SELECT rowid FROM (SELECT 1)", "SELECT v.oid FROM v", "SELECT rowid FROM t, v",
        "WITH c AS (SELECT 1) SELECT rowid FROM c", "SELECT (SELECT rowid FROM v) FROM t"}) {
    expect_same(sql);
  }
}

int connect_pair(sqlite3* db, void*, int, const char* const*, sqlite3_vtab** table, char**) {
  const int code = sqlite3_declare_vtab(db, "CREATE TABLE x(first INT, second TEXT, key HIDDEN)");
  if (code == SQLITE_OK) *table = new sqlite3_vtab{};
  return code;
}
int connect_failing(sqlite3*, void*, int, const char* const*, sqlite3_vtab**, char** message) {
  *message = sqlite3_mprintf("not today");
  return SQLITE_ERROR;
}
int disconnect(sqlite3_vtab* table) {
  delete table;
  return SQLITE_OK;
}
int best_index(sqlite3_vtab*, sqlite3_index_info*) { return SQLITE_OK; }

TEST_F(HostDialectTest, EponymousVirtualTables) {
  // Until the connection is closed, which is after this function has returned.
  static sqlite3_module pair{};
  pair.xConnect = connect_pair;
  pair.xDisconnect = disconnect;
  pair.xBestIndex = best_index;
  static sqlite3_module failing = pair;
  failing.xConnect = connect_failing;
  static sqlite3_module ordinary = pair;
  ordinary.xCreate = connect_failing;
  ASSERT_EQ(sqlite3_create_module(db_.handle(), "Pair", &pair, nullptr), SQLITE_OK);
  ASSERT_EQ(sqlite3_create_module(db_.handle(), "failing", &failing, nullptr), SQLITE_OK);
  ASSERT_EQ(sqlite3_create_module(db_.handle(), "ordinary", &ordinary, nullptr), SQLITE_OK);
  for (const char* sql : {"SELECT first, key FROM pair", "SELECT p.second FROM t, main.PAIR(a) AS p",
                          "SELECT pair.third FROM pair", "SELECT 1 FROM failing", "SELECT 1 FROM ordinary",
                          "SELECT rowid FROM other.pair", "SELECT 1 FROM ordinary(1)"}) {
    expect_same(sql);
  }
  EXPECT_EQ(db_.value("SELECT group_concat(tbl || '.' || col || ' ' || type || ' ' || kind) FROM sql_columns('SELECT * "
                      "FROM pair')"),
            "Pair.first INT virtual,Pair.second TEXT virtual");
}

TEST_F(HostDialectTest, TablesHideEponymousOnes) {
  db_.rows("CREATE TABLE sql_columns(x); CREATE TEMP TABLE sql_parse(y)");
  expect_same("SELECT x FROM sql_columns");
  expect_same("SELECT col FROM sql_columns");
  expect_same("SELECT col FROM temp.sql_columns");
}

void to_nothing(sqlite3_context* context, int, sqlite3_value**) { sqlite3_result_null(context); }

// Of functions that the host has in place of SQLite's, nothing is known.
TEST_F(HostDialectTest, ReplacedFunctions) {
  if (sqlite3_libversion_number() < 3038000) GTEST_SKIP() << "SQLite " << sqlite3_libversion();
  db_.rows("CREATE VIEW low AS SELECT lower(a) AS l FROM t");
  const auto verdict = [this](const std::string& a, const std::string& b) {
    return db_.value("SELECT verdict || coalesce(': ' || detail, '') FROM sql_compare('" + a + "', '" + b + "')");
  };
  const std::vector<std::pair<std::string, std::string>> pairs = {
      {"SELECT lower(lower(a)) FROM t", "SELECT lower(a) FROM t"},
      {"SELECT l FROM low", "SELECT lower(a) FROM t"},
      {"SELECT a FROM t WHERE a LIKE ''x%''", "SELECT a FROM t WHERE a LIKE ''x%'' AND 1"},
      {"SELECT sum(a) FROM t", "SELECT sum(a) FROM t WHERE a IS NOT NULL"},
      {"SELECT a -> ''$.x'' FROM t", "SELECT +a -> ''$.x'' FROM t"},
  };
  for (const auto& [a, b] : pairs) EXPECT_EQ(verdict(a, b), "proved") << a;
  for (const char* name : {"LOWER", "like", "->"})
    for (const int arguments : {1, 2})
      sqlite3_create_function(db_.handle(), name, arguments, SQLITE_UTF8, nullptr, to_nothing, nullptr, nullptr);
  sqlite3_create_function(db_.handle(), "sum", 1, SQLITE_UTF8, nullptr, nullptr, to_nothing,
                          [](sqlite3_context* context) { sqlite3_result_int(context, 7); });
  for (const auto& [a, b] : pairs) {
    const auto found = verdict(a, b);
    EXPECT_NE(found.find("of its own in place of SQLite's"), std::string::npos) << a << " " << found;
    EXPECT_EQ(found.substr(0, 7), "unknown") << a << " " << found;
    EXPECT_EQ(db_.value("SELECT sql_equivalent('" + a + "', '" + b + "')"), "NULL") << a;
  }
  EXPECT_EQ(verdict("SELECT a FROM t WHERE a > 1", "SELECT a FROM t WHERE 1 < a"), "proved");
}

}  // namespace
}  // namespace trustsql
