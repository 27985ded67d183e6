#include "db/sqlite/failure_cause.hpp"

#include "unit/db/support.hpp"

namespace trustsql {
namespace {

using test::TestConnection;
using Kind = FailureCause::Kind;

// The cause of the failure of `sql`, which must not prepare or must fail when it runs.
FailureCause cause_of(const TestConnection& connection, const std::string& sql) {
  const auto status = execute(connection, sql);
  EXPECT_FALSE(status.ok()) << sql;
  return failure_cause(sqlite3_errmsg(connection));
}

// SQLite itself says each message, so a version that changes one fails here.
TEST(FailureCause, ReadsNamesThatSQLiteDoesNotKnow) {
  const TestConnection connection;
  connection.exec("CREATE TABLE t(a)");
  const auto expect = [&](const std::string& sql, Kind kind, std::string_view name) {
    const auto cause = cause_of(connection, sql);
    EXPECT_EQ(cause.kind, kind) << sql;
    EXPECT_EQ(cause.name, name) << sql;
  };
  expect("SELECT nothing_like_it(1)", Kind::unknown_function, "nothing_like_it");
  expect("CREATE INDEX i ON t(nothing_like_it(a))", Kind::unknown_function, "nothing_like_it");
  expect("SELECT a FROM t ORDER BY a COLLATE upside_down", Kind::unknown_collation, "upside_down");
  expect("CREATE VIRTUAL TABLE v USING some_module(a)", Kind::unknown_module, "some_module");
  expect("SELECT a FROM t INDEXED BY no_index", Kind::unknown_index, "no_index");
  for (const char* sql : {"SELECT b FROM t", "SELECT * FROM u", "SELECT FROM", "SELECT abs(-9223372036854775807 - 1)"})
    EXPECT_EQ(cause_of(connection, sql).kind, Kind::other) << sql;
}

TEST(FailureCause, ReadsWhichLimitWasExceeded) {
  const TestConnection connection;
  connection.exec("CREATE TABLE t(a)");
  const auto expect = [&](int limit, int value, const std::string& sql) {
    const int before = sqlite3_limit(connection, limit, value);
    const auto cause = cause_of(connection, sql);
    sqlite3_limit(connection, limit, before);
    EXPECT_EQ(cause.kind, Kind::limit) << sql;
    EXPECT_EQ(cause.limit, limit) << sql;
  };
  expect(SQLITE_LIMIT_LENGTH, 100, "SELECT replace(hex(zeroblob(40)), '0', 'abc')");
  expect(SQLITE_LIMIT_COLUMN, 2, "SELECT 1, 2, 3");
  expect(SQLITE_LIMIT_EXPR_DEPTH, 3, "SELECT 1 + 2 + 3 + 4 + 5");
  expect(SQLITE_LIMIT_COMPOUND_SELECT, 2, "SELECT 1 UNION SELECT 2 UNION SELECT 3");
  expect(SQLITE_LIMIT_FUNCTION_ARG, 2, "SELECT max(1, 2, 3)");
  expect(SQLITE_LIMIT_ATTACHED, 0, "ATTACH ':memory:' AS b");
  expect(SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 3, "SELECT 'abcdef' LIKE 'abcdef'");
  expect(SQLITE_LIMIT_VARIABLE_NUMBER, 1, "SELECT ?, ?");
  expect(SQLITE_LIMIT_VARIABLE_NUMBER, 1, "SELECT ?2");
}

}  // namespace
}  // namespace trustsql
