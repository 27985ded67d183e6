// The resolver against SQLite on the real queries: the same queries resolve, others fail with the same messages; the
// same names of result columns, and the columns that SQLite's authorizer is asked about.
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>
#include <map>

#include "db/catalog/catalog_reader.hpp"
#include "sql/parser.hpp"
#include "sql/resolver.hpp"
#include "unit/sql/real_queries.hpp"
#include "unit/sql/sqlite_oracle.hpp"

namespace trustsql {
namespace {

// Every eighth query, or all with TRUSTSQL_TEST_SLOW=1.
TEST(ResolverOnRealQueries, AgreesWithSqlite) {
  const auto folder = testing_data::data_folder();
  if (!folder) GTEST_SKIP() << "no development data";
  const char* slow = std::getenv("TRUSTSQL_TEST_SLOW");
  const std::size_t step = slow != nullptr && std::string_view(slow) != "0" ? 1 : 8;
  testing_data::Databases databases(*folder);
  std::map<std::string, Catalog> catalogs;
  std::map<std::string_view, int> classes;
  const auto functions = FunctionTable::built_in(sqlite3_libversion_number());
  std::size_t prepared = 0;
  std::size_t refused = 0;
  std::size_t same = 0;
  const auto queries = testing_data::real_queries();
  for (std::size_t i = 0; i < queries.size(); i += step) {
    const auto& query = queries[i];
    sqlite3* db = databases.open(query.database);
    if (catalogs.count(query.database) == 0) {
      auto catalog = read_catalog(db);
      ASSERT_TRUE(catalog.ok()) << query.database << ": " << catalog.error().message;
      catalogs[query.database] = std::move(*catalog);
    }
    const auto parsed = parse_query(query.sql, {.version = sqlite3_libversion_number()});
    if (!parsed.ok()) continue;  // parser_data_test.cpp
    const auto sqlite = testing_support::prepare(db, query.sql);
    const auto resolution =
        resolve(*parsed, catalogs[query.database],
                {.functions = &functions, .rowid_in_views = false, .version = sqlite3_libversion_number()});
    const auto where = query.source + ", " + query.database + ": " + query.sql;
    ASSERT_EQ(resolution.ok() ? "" : resolution.error().message, sqlite.message) << where;
    ++(sqlite.ok ? prepared : refused);
    if (!sqlite.ok) continue;
    EXPECT_EQ(testing_support::names(*resolution), sqlite.names) << where;
    const auto comparison = testing_support::compare_reads(sqlite.reads, *resolution);
    EXPECT_EQ(comparison.unexplained, "") << where;
    if (comparison.classes.empty()) ++same;
    for (const auto difference : comparison.classes) ++classes[difference];
  }
  std::cout << prepared << " prepared, " << refused << " refused with the same message; columns read: " << same
            << " the same\n";
  for (const auto& [difference, count] : classes) std::cout << "  " << count << ": " << difference << "\n";
  EXPECT_GT(prepared * step, 32'000U);
  EXPECT_GT(100 * same, 97 * prepared);
}

}  // namespace
}  // namespace trustsql
