// Loading the extension again into a connection that has it.
#include <gtest/gtest.h>

#include "trustsql/trustsql.h"
#include "unit/ext/support.hpp"

namespace trustsql::ext {
namespace {

using testing_support::Database;

TEST(Loading, ASecondTimeKeepsTheSettings) {
  Database db;
  db.load(sqlite3_trustsql_init);
  EXPECT_EQ(db.value("SELECT trustsql_config('timeout_ms', 77)"), "77");
  db.load(sqlite3_trustsql_init);
  EXPECT_EQ(db.value("SELECT trustsql_config('timeout_ms')"), "77");
  EXPECT_EQ(db.value("SELECT sql_ex('SELECT 1', 'SELECT 1')"), "1");
}

TEST(Loading, AnotherEntryPointAddsWhatItHasMore) {
  Database db;
  db.load(sqlite3_trustsql_pure_init);
  EXPECT_EQ(db.value("SELECT trustsql_config('timeout_ms', 77)"), "77");
  EXPECT_EQ(db.error("SELECT sql_ex('SELECT 1', 'SELECT 1')"), "no such function: sql_ex");
  db.load(sqlite3_trustsql_init);
  EXPECT_EQ(db.value("SELECT trustsql_config('timeout_ms')"), "77");
  EXPECT_EQ(db.value("SELECT sql_ex('SELECT 1', 'SELECT 1')"), "1");
  const auto functions = db.value("SELECT count(*) FROM trustsql_functions");
  db.load(sqlite3_trustsql_pure_init);
  EXPECT_EQ(db.value("SELECT count(*) FROM trustsql_functions"), functions);
}

TEST(Loading, WorksWhileAStatementRuns) {
  Database db("CREATE TABLE t(a); INSERT INTO t VALUES (1), (2)");
  db.load(sqlite3_trustsql_init);
  sqlite3_stmt* statement = nullptr;
  ASSERT_EQ(sqlite3_prepare_v2(db.handle(), "SELECT trustsql_version() FROM t", -1, &statement, nullptr), SQLITE_OK);
  EXPECT_EQ(sqlite3_step(statement), SQLITE_ROW);
  db.load(sqlite3_trustsql_init);
  EXPECT_EQ(sqlite3_step(statement), SQLITE_ROW);
  sqlite3_finalize(statement);
}

TEST(Loading, LeavesNoErrorOnTheConnection) {
  Database db;
  db.load(sqlite3_trustsql_init);
  EXPECT_EQ(sqlite3_errcode(db.handle()), SQLITE_OK);
  sqlite3_auto_extension(reinterpret_cast<void (*)()>(sqlite3_trustsql_init));
  sqlite3* other = nullptr;
  EXPECT_EQ(sqlite3_open(":memory:", &other), SQLITE_OK);
  sqlite3_close(other);
  sqlite3_reset_auto_extension();
}

TEST(Loading, APointerThatIsNoSessionIsNull) {
  Database db;
  db.load(sqlite3_trustsql_init);
  sqlite3_stmt* statement = nullptr;
  ASSERT_EQ(sqlite3_prepare_v2(db.handle(), "SELECT trustsql_config(?1)", -1, &statement, nullptr), SQLITE_OK);
  int other = 0;
  sqlite3_bind_pointer(statement, 1, &other, "other", nullptr);
  EXPECT_EQ(sqlite3_step(statement), SQLITE_ROW);
  EXPECT_EQ(sqlite3_column_type(statement, 0), SQLITE_NULL);
  sqlite3_finalize(statement);
  EXPECT_EQ(db.value("SELECT trustsql_config(NULL)"), "NULL");
}

}  // namespace
}  // namespace trustsql::ext
