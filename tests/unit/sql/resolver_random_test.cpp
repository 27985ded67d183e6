// The resolver against SQLite on random queries: the same ones resolve, with the same messages otherwise; what they yield
// has the types that were derived.
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>

#include "base/text.hpp"
#include "db/catalog_reader.hpp"
#include "db/statement.hpp"
#include "sql/parser.hpp"
#include "sql/resolver.hpp"
#include "unit/sql/query_generator.hpp"
#include "unit/sql/sqlite_oracle.hpp"

namespace trustsql {
namespace {

class ResolverOnRandomQueries : public ::testing::Test {
 protected:
  ResolverOnRandomQueries() {
    sqlite3_open(":memory:", &db_);
    char* message = nullptr;
    EXPECT_EQ(sqlite3_exec(db_, testing_support::QueryGenerator::schema(), nullptr, nullptr, &message), SQLITE_OK) << message;
    catalog_ = *read_catalog(db_);
    rowid_in_views_ = testing_support::prepare(db_, "SELECT rowid FROM (SELECT 1)").ok;
  }
  ~ResolverOnRandomQueries() override { sqlite3_close(db_); }

  Result<Resolution> resolve_here(const ast::Query& query) {
    return resolve(query, catalog_, {.functions = &functions_, .rowid_in_views = rowid_in_views_, .version = sqlite3_libversion_number()});
  }

  // The number of queries, more of which can be asked for with TRUSTSQL_TEST_RUNS.
  static int runs(int usual) {
    const char* set = std::getenv("TRUSTSQL_TEST_RUNS");
    return set != nullptr ? std::atoi(set) : usual;
  }
  static std::uint64_t seed() {
    const char* set = std::getenv("TRUSTSQL_TEST_SEED");
    return set != nullptr ? std::strtoull(set, nullptr, 10) : 1;
  }

  sqlite3* db_ = nullptr;
  Catalog catalog_;
  bool rowid_in_views_ = false;
  int progress_calls_ = 0;  // of the query that runs
  FunctionTable functions_ = FunctionTable::built_in(sqlite3_libversion_number());
};

// Of several errors in a query SQLite now and then reports another one.
TEST_F(ResolverOnRandomQueries, AgreesWithSqlite) {
  int ok = 0, refused = 0, other_message = 0;
  for (const double mistakes : {0.0, 0.02, 0.1}) {
    testing_support::QueryGenerator generator(seed(), mistakes);
    for (int i = 0; i < runs(2000); ++i) {
      const auto sql = generator.query();
      const auto parsed = parse_query(sql, {.version = sqlite3_libversion_number()});
      const auto sqlite = testing_support::prepare(db_, sql);
      ASSERT_TRUE(parsed.ok() || !sqlite.ok) << sql << "\n" << parsed.error().message;
      if (!parsed.ok()) continue;
      const auto resolution = resolve_here(*parsed);
      const auto message = resolution.ok() ? "" : resolution.error().message;
      ++(sqlite.ok ? ok : refused);
      ASSERT_EQ(resolution.ok(), sqlite.ok) << sql << "\n SQLite: " << sqlite.message << "\n ours:   " << message;
      if (sqlite.ok) {
        ASSERT_EQ(testing_support::names(*resolution), sqlite.names) << sql;
        ASSERT_EQ(testing_support::compare_reads(sqlite.reads, *resolution).unexplained, "") << sql;
      } else if (message != sqlite.message) {
        ++other_message;
      }
    }
  }
  std::cout << ok << " prepared, " << refused << " refused, " << other_message << " of them with another message\n";
  EXPECT_LE(200 * other_message, refused);
}

// Every value that a query yields is one of those that its column can have.
TEST_F(ResolverOnRandomQueries, YieldsWhatTypesSay) {
  testing_support::QueryGenerator generator(seed(), 0.0);
  int queries = 0;
  std::int64_t values = 0;
  sqlite3_progress_handler(
      db_, 100'000, [](void* calls) { return ++*static_cast<int*>(calls) > 20 ? 1 : 0; }, &progress_calls_);
  for (int i = 0; i < runs(2000); ++i) {
    const auto sql = generator.query();
    const auto parsed = parse_query(sql, {.version = sqlite3_libversion_number()});
    if (!parsed.ok()) continue;  // VALUES with LIMIT
    const auto resolution = resolve_here(*parsed);
    sqlite3_stmt* statement = nullptr;
    if (!resolution.ok() || sqlite3_prepare_v2(db_, sql.c_str(), -1, &statement, nullptr) != SQLITE_OK) continue;
    ++queries;
    progress_calls_ = 0;
    const auto& columns = resolution->query().columns;
    ASSERT_EQ(columns.size(), static_cast<std::size_t>(sqlite3_column_count(statement))) << sql;
    for (int row = 0; row < 500 && sqlite3_step(statement) == SQLITE_ROW; ++row) {
      for (std::size_t column = 0; column < columns.size(); ++column, ++values) {
        const TypeSet value = column_value(statement, static_cast<int>(column)).type;
        ASSERT_TRUE(value.is_subset_of(columns[column].type.types))
            << sql << "\n column " << column << " is " << sqlite3_column_type(statement, static_cast<int>(column));
      }
    }
    sqlite3_finalize(statement);
  }
  sqlite3_progress_handler(db_, 0, nullptr, nullptr);
  std::cout << queries << " queries, " << values << " values\n";
  EXPECT_GT(values, runs(2000));
}

}  // namespace
}  // namespace trustsql
