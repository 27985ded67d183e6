// The resolver against SQLite on the real queries: the same queries resolve, with the same messages otherwise, the same
// names of result columns, and the columns that SQLite's authorizer is asked about.
#include <gtest/gtest.h>

#include <iostream>
#include <map>

#include "base/text.hpp"
#include "db/catalog_reader.hpp"
#include "sql/parser.hpp"
#include "sql/schema_use.hpp"
#include "unit/sql/real_queries.hpp"
#include "unit/sql/sqlite_oracle.hpp"

namespace trustsql {
namespace {

using testing_support::Element;

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
    if (catalogs.count(query.database) == 0) catalogs[query.database] = *read_catalog(db);
    const auto parsed = parse_query(query.sql, {.version = sqlite3_libversion_number()});
    if (!parsed.ok()) continue;
    auto sqlite = testing_support::prepare(db, query.sql);
    const auto resolution = resolve(*parsed, catalogs[query.database], {.functions = &functions});
    const auto where = query.source + ", " + query.database + ": " + query.sql;
    ASSERT_EQ(resolution.ok() ? "" : resolution.error().message, sqlite.message) << where;
    ++(sqlite.ok ? prepared : refused);
    if (!sqlite.ok) continue;
    std::vector<std::string> names;
    for (const auto& column : resolution->query().columns) names.emplace_back(column.name);
    EXPECT_EQ(names, sqlite.names) << where;
    std::set<Element> reads;
    for (const auto& use : schema_uses(*resolution)) reads.emplace(to_lower_ascii(use.table->name), to_lower_ascii(use.name));
    testing_support::drop_empty_columns(sqlite.reads);
    EXPECT_EQ(testing_support::difference(sqlite.reads, reads), "") << where;
  }
  std::cout << prepared << " prepared, " << refused << " refused\n";
  EXPECT_GT(prepared, 20000);
}

}  // namespace
}  // namespace trustsql
