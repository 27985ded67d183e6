// The resolver against SQLite on the real queries: the same queries resolve, with the same messages otherwise, the same
// names of result columns, and the columns that SQLite's authorizer is asked about.
#include <gtest/gtest.h>

#include <iostream>
#include <map>

#include "db/catalog_reader.hpp"
#include "sql/parser.hpp"
#include "sql/resolver.hpp"
#include "unit/sql/real_queries.hpp"
#include "unit/sql/sqlite_oracle.hpp"

namespace trustsql {
namespace {

TEST(ResolverOnRealQueries, AgreesWithSqlite) {
  const auto folder = testing_data::data_folder();
  if (!folder) GTEST_SKIP() << "no development data";
  testing_data::Databases databases(*folder);
  std::map<std::string, Catalog> catalogs;
  const auto functions = FunctionTable::built_in(sqlite3_libversion_number());
  int prepared = 0;
  int refused = 0;
  for (const auto& query : testing_data::real_queries()) {
    sqlite3* db = databases.open(query.database);
    if (catalogs.count(query.database) == 0) {
      auto catalog = read_catalog(db);
      ASSERT_TRUE(catalog.ok()) << query.database << ": " << catalog.error().message;
      catalogs[query.database] = std::move(*catalog);
    }
    const auto parsed = parse_query(query.sql, {.version = sqlite3_libversion_number()});
    if (!parsed.ok()) continue;
    const auto sqlite = testing_support::prepare(db, query.sql);
    const auto resolution = resolve(*parsed, catalogs[query.database], {.functions = &functions, .version = sqlite3_libversion_number()});
    const auto where = query.source + ", " + query.database + ": " + query.sql;
    ASSERT_EQ(resolution.ok() ? "" : resolution.error().message, sqlite.message) << where;
    ++(sqlite.ok ? prepared : refused);
    if (!sqlite.ok) continue;
    EXPECT_EQ(testing_support::names(*resolution), sqlite.names) << where;
    EXPECT_EQ(testing_support::difference(sqlite.reads, *resolution), "") << where;
  }
  std::cout << prepared << " prepared, " << refused << " refused\n";
  EXPECT_GT(prepared, 20000);
}

}  // namespace
}  // namespace trustsql
