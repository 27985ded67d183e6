// Hosts that lower the limits of their connection (sqlite3_limit()): each call works or says which limit prevents it.
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "ext/registry.hpp"
#include "trustsql/trustsql.h"
#include "unit/db/support.hpp"
#include "unit/ext/support.hpp"
#include "unit/test_run.hpp"

namespace trustsql::ext {
namespace {

using testing_support::Database;

struct Limit {
  int id;
  const char* name;
  int values[3];
};

constexpr Limit limits[] = {
    {SQLITE_LIMIT_LENGTH, "SQLITE_LIMIT_LENGTH", {1000, 200, 40}},
    {SQLITE_LIMIT_SQL_LENGTH, "SQLITE_LIMIT_SQL_LENGTH", {400, 200, 60}},
    {SQLITE_LIMIT_COLUMN, "SQLITE_LIMIT_COLUMN", {8, 4, 2}},
    {SQLITE_LIMIT_EXPR_DEPTH, "SQLITE_LIMIT_EXPR_DEPTH", {5, 3, 1}},
    {SQLITE_LIMIT_COMPOUND_SELECT, "SQLITE_LIMIT_COMPOUND_SELECT", {3, 2, 1}},
    {SQLITE_LIMIT_VDBE_OP, "SQLITE_LIMIT_VDBE_OP", {200, 50, 25}},
    {SQLITE_LIMIT_FUNCTION_ARG, "SQLITE_LIMIT_FUNCTION_ARG", {3, 2, 1}},
    {SQLITE_LIMIT_ATTACHED, "SQLITE_LIMIT_ATTACHED", {2, 1, 0}},
    {SQLITE_LIMIT_VARIABLE_NUMBER, "SQLITE_LIMIT_VARIABLE_NUMBER", {2, 1, 0}},
};

// What SQLite itself says about the host's own statement, before any of our code runs.
bool is_of_host(const std::string& message) {
  for (const char* begin : {"statement too long", "string or blob too big", "too many arguments on function",
                            "Expression tree is too large", "too many columns in", "too many columns on",
                            "out of memory", "too many terms in compound SELECT", "LIKE or GLOB pattern too complex"})
    if (message.starts_with(begin)) return true;
  return false;
}

// Runs `sql` on `db` in a new folder, after `before` (of another connection) has written its files there.
std::string run_in_new_folder(const std::string& before, Database& db, const std::string& sql,
                              std::vector<std::vector<std::string>>& rows) {
  const test::TempDir folder;
  const auto working_folder = std::filesystem::current_path();
  std::filesystem::current_path(folder.path());
  if (!before.empty()) {
    Database writer;
    writer.load(sqlite3_trustsql_init);
    writer.rows(before);
  }
  const auto message = db.run(sql, rows);
  std::filesystem::current_path(working_folder);
  return message;
}

TEST(HostLimits, EveryExampleWorksOrNamesTheLimit) {
  TRUSTSQL_SKIP_BEFORE_3_39();
  int named = 0;
  std::map<std::string_view, std::string> examples;
  for (const auto* spec : functions_of(EntryPoint::full)) {
    const std::string example(spec->example.substr(0, spec->example.find("-- ")));
    examples[spec->name] = example;
    const std::string before = examples[testing_support::writer_for_example(spec->name)];
    std::vector<std::vector<std::string>> right;
    Database unlimited(testing_support::example_database());
    unlimited.load(sqlite3_trustsql_init);
    ASSERT_EQ(run_in_new_folder(before, unlimited, example, right), "") << example;
    for (const auto& limit : limits) {
      for (const int value : limit.values) {
        SCOPED_TRACE(std::string(limit.name) + " = " + std::to_string(value) + ": " + example);
        Database db(testing_support::example_database());
        db.load(sqlite3_trustsql_init);
        sqlite3_limit(db.handle(), limit.id, value);
        std::vector<std::vector<std::string>> rows;
        const auto message = run_in_new_folder(before, db, example, rows);
        if (message.empty()) {
          EXPECT_EQ(rows, right);
          continue;
        }
        const bool is_named = message.find(limit.name) != std::string::npos;
        // A message that is too long for SQLite is cut.
        const bool is_cut = limit.id == SQLITE_LIMIT_LENGTH && static_cast<int>(message.size()) == value - 1;
        EXPECT_TRUE(is_named || is_cut || is_of_host(message)) << message;
        if (is_named) ++named;
      }
    }
  }
  EXPECT_GT(named, 20);
}

TEST(HostLimits, AResultThatIsTooLongIsAnError) {
  Database db;
  db.load(sqlite3_trustsql_init);
  sqlite3_limit(db.handle(), SQLITE_LIMIT_LENGTH, 150);
  EXPECT_EQ(db.error("SELECT sql_parse('SELECT 1')").substr(0, 32), "sql_parse: the result has 169 by");
  EXPECT_NE(db.error("SELECT summary FROM trustsql_functions").find("SQLITE_LIMIT_LENGTH of the connection is 150"),
            std::string::npos);
}

TEST(HostLimits, AMessageThatIsTooLongIsCut) {
  Database db;
  db.load(sqlite3_trustsql_init);
  sqlite3_limit(db.handle(), SQLITE_LIMIT_LENGTH, 60);
  EXPECT_EQ(db.error("SELECT trustsql_config('no')"), "trustsql_config: unknown setting 'no'; known: timeout_ms, m");
}

TEST(HostLimits, ASourceNamesItsLimit) {
  Database db("CREATE TABLE t(a, \"case\"); INSERT INTO t VALUES (1, 'I')");
  db.load(sqlite3_trustsql_init);
  sqlite3_limit(db.handle(), SQLITE_LIMIT_EXPR_DEPTH, 3);
  EXPECT_NE(db.error("SELECT * FROM rs_report('SELECT 1 + 2 + 3 + 4 + a AS \"case\" FROM t')")
                .find("SQLITE_LIMIT_EXPR_DEPTH of the connection is 3"),
            std::string::npos);
}

TEST(HostLimits, ATableNamesItsLimit) {
  for (const auto& [limit, name] : {std::pair(SQLITE_LIMIT_COLUMN, "SQLITE_LIMIT_COLUMN"),
                                    std::pair(SQLITE_LIMIT_SQL_LENGTH, "SQLITE_LIMIT_SQL_LENGTH")}) {
    Database db;
    db.load(sqlite3_trustsql_init);
    sqlite3_limit(db.handle(), limit,
                  limit == SQLITE_LIMIT_COLUMN ? 5 : 100);  // less, and SQLite cannot read its own schema table
    EXPECT_NE(db.error("SELECT 1 FROM rs_report('t')").find(name), std::string::npos);
  }
}

}  // namespace
}  // namespace trustsql::ext
