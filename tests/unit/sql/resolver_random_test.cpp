// The resolver against SQLite on random queries: the same ones resolve, others fail with the same messages; what they
// yield has the types that were derived.
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>
#include <map>

#include "base/text.hpp"
#include "db/catalog/catalog_reader.hpp"
#include "db/sqlite/statement.hpp"
#include "sql/ast_walk.hpp"
#include "sql/parser.hpp"
#include "sql/resolver.hpp"
#include "unit/sql/query_generator.hpp"
#include "unit/sql/sqlite_oracle.hpp"
#include "unit/test_run.hpp"

namespace trustsql {
namespace {

class ResolverOnRandomQueries : public ::testing::Test {
 protected:
  ResolverOnRandomQueries() {
    sqlite3_open(":memory:", &db_);
    char* message = nullptr;
    EXPECT_EQ(sqlite3_exec(db_, testing_support::QueryGenerator::schema(), nullptr, nullptr, &message), SQLITE_OK)
        << message;
    catalog_ = *read_catalog(db_);
    rowid_in_views_ = testing_support::prepare(db_, "SELECT rowid FROM (SELECT 1)").ok;
  }
  ~ResolverOnRandomQueries() override { sqlite3_close(db_); }

  Result<Resolution> resolve_here(const ast::Query& query) {
    return resolve(
        query, catalog_,
        {.functions = &functions_, .rowid_in_views = rowid_in_views_, .version = sqlite3_libversion_number()});
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

// If a query has several errors, SQLite sometimes reports a different one.
TEST_F(ResolverOnRandomQueries, AgreesWithSqlite) {
  TRUSTSQL_SKIP_BEFORE_3_39();
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
  TRUSTSQL_SKIP_BEFORE_3_39();
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

// The affinity of an expression is that of the column that CREATE TABLE ... AS makes of it, its collation what ORDER BY
// sorts by.
TEST_F(ResolverOnRandomQueries, AffinityAndCollation) {
  testing_support::QueryGenerator generator(seed(), 0.0);
  const auto text_of = [&](const std::string& sql, int column) {
    sqlite3_stmt* statement = nullptr;
    EXPECT_EQ(sqlite3_prepare_v2(db_, sql.c_str(), -1, &statement, nullptr), SQLITE_OK) << sql;
    std::vector<std::string> texts;
    while (sqlite3_step(statement) == SQLITE_ROW) texts.emplace_back(format_value(column_value(statement, column)));
    sqlite3_finalize(statement);
    return texts;
  };
  const std::map<Affinity, std::string> type_names = {{Affinity::none, ""},       {Affinity::blob, ""},
                                                      {Affinity::text, "TEXT"},   {Affinity::numeric, "NUM"},
                                                      {Affinity::integer, "INT"}, {Affinity::real, "REAL"}};
  int affinities = 0, collations = 0;
  for (int i = 0; i < runs(1000); ++i) {
    const auto expression = generator.expression();
    const auto sql = "SELECT " + expression + " AS c FROM t, u, w ORDER BY (" + expression + ") LIMIT 0";
    const auto parsed = parse_query(sql, {.version = sqlite3_libversion_number()});
    ASSERT_TRUE(parsed.ok()) << sql;
    const auto resolution = resolve_here(*parsed);
    if (!resolution.ok()) continue;
    const auto& query = resolution->query();

    sqlite3_exec(db_, "DROP TABLE IF EXISTS temp.made", nullptr, nullptr, nullptr);
    sqlite3_exec(db_, ("CREATE TEMP TABLE made AS " + sql).c_str(), nullptr, nullptr, nullptr);
    const auto types = text_of("SELECT type FROM pragma_table_info('made')", 0);
    ASSERT_EQ(types.size(), 1U) << sql;
    ASSERT_EQ(type_names.at(query.columns.front().type.affinity), types.front()) << sql;
    ++affinities;

    // The affinity of a comparison of row values, a number, does not matter.
    bool has_row = false;
    ast::walk(*parsed, [&](const ast::Row&) { has_row = true; });
    if (has_row) continue;

    // k(1,NOCASE) is a key of one column; B stands for BINARY.
    const auto plan = text_of("EXPLAIN " + sql, 5);
    const auto key =
        std::find_if(plan.begin(), plan.end(), [](const std::string& p4) { return p4.rfind("k(1,", 0) == 0; });
    if (key == plan.end()) continue;  // nothing to sort by
    const auto& collation = query.order_by.front().type.collation.name;
    ASSERT_EQ(*key, "k(1," + std::string(equals_ignore_case(collation, "BINARY") ? "B" : collation) + ")") << sql;
    ++collations;
  }
  std::cout << affinities << " affinities, " << collations << " collations\n";
  EXPECT_GT(affinities, runs(1000) / 4);
  EXPECT_GT(collations, runs(1000) / 8);
}

}  // namespace
}  // namespace trustsql
