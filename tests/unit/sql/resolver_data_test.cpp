// The resolver against SQLite on the real queries: the same queries resolve, with the same messages otherwise, the same
// names of result columns, and the columns that SQLite's authorizer is asked about.
#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <map>
#include <set>

#include "base/text.hpp"
#include "sql/parser.hpp"
#include "sql/schema_use.hpp"
#include "unit/sql/catalog_support.hpp"
#include "unit/sql/real_queries.hpp"

namespace trustsql {
namespace {

using Element = std::pair<std::string, std::string>;  // table and column, "" for none; lower case

struct SqliteView {
  int code = SQLITE_OK;
  std::string message;
  std::vector<std::string> names;
  std::set<Element> reads{};
};

SqliteView ask(sqlite3* db, const std::string& sql) {
  SqliteView view;
  sqlite3_set_authorizer(
      db,
      [](void* data, int action, const char* table, const char* column, const char*, const char*) {
        if (action == SQLITE_READ) static_cast<SqliteView*>(data)->reads.emplace(to_lower_ascii(table), to_lower_ascii(column));
        return SQLITE_OK;
      },
      &view);
  sqlite3_stmt* statement = nullptr;
  view.code = sqlite3_prepare_v2(db, sql.c_str(), -1, &statement, nullptr);
  if (view.code != SQLITE_OK) view.message = sqlite3_errmsg(db);
  for (int i = 0; i < sqlite3_column_count(statement); ++i) view.names.emplace_back(sqlite3_column_name(statement, i));
  sqlite3_finalize(statement);
  sqlite3_set_authorizer(db, nullptr, nullptr);
  return view;
}

// SQLite reports a table without a column also where an instance of it is used by its rowid alone. Where a column of the table is
// known to be used, that says nothing more.
void drop_empty_columns(std::set<Element>& reads) {
  std::erase_if(reads, [&](const Element& element) {
    const auto& [table, column] = element;
    return column.empty() && std::any_of(reads.begin(), reads.end(), [&](const Element& e) { return e.first == table && !e.second.empty(); });
  });
}

TEST(ResolverOnRealQueries, AgreesWithSqlite) {
  const auto folder = testing_data::data_folder();
  if (!folder) GTEST_SKIP() << "no development data";
  testing_data::Databases databases(*folder);
  std::map<std::string, Catalog> catalogs;
  const auto functions = FunctionTable::built_in(sqlite3_libversion_number());
  std::map<std::string, int> counts;
  int shown = 0;
  for (const auto& query : testing_data::real_queries()) {
    sqlite3* db = databases.open(query.database);
    if (catalogs.count(query.database) == 0) catalogs[query.database] = testing_support::read_catalog(db);
    const auto parsed = parse_query(query.sql, {.version = sqlite3_libversion_number()});
    if (!parsed.ok()) continue;
    auto sqlite = ask(db, query.sql);
    const auto resolution = resolve(*parsed, catalogs[query.database], {.functions = &functions});
    const std::string message = resolution.ok() ? "" : resolution.error().message;
    ++counts[sqlite.code == SQLITE_OK ? "prepared" : "refused"];
    std::string problem;
    if (message != sqlite.message) {
      problem = "message";
    } else if (resolution.ok()) {
      std::vector<std::string> names;
      for (const auto& column : resolution->query().columns) names.emplace_back(column.name);
      if (names != sqlite.names) problem = "names";
      std::set<Element> reads;
      for (const auto& use : schema_uses(*resolution)) reads.emplace(to_lower_ascii(use.table->name), to_lower_ascii(use.column_name()));
      drop_empty_columns(sqlite.reads);
      if (reads != sqlite.reads) {
        std::vector<Element> missing, surplus;
        std::set_difference(sqlite.reads.begin(), sqlite.reads.end(), reads.begin(), reads.end(), std::back_inserter(missing));
        std::set_difference(reads.begin(), reads.end(), sqlite.reads.begin(), sqlite.reads.end(), std::back_inserter(surplus));
        problem = "reads:";
        for (const auto& [table, column] : missing) problem += " -" + table + "." + column;
        for (const auto& [table, column] : surplus) problem += " +" + table + "." + column;
      }
    }
    if (problem.empty()) continue;
    ++counts[problem.substr(0, 5)];
    if (++shown <= 40)
      ADD_FAILURE() << problem << "\n"
                    << query.source << " " << query.database << ": " << query.sql << "\n sqlite: " << sqlite.message << "\n ours:   " << message;
  }
  for (const auto& [name, count] : counts) std::cout << name << ": " << count << "\n";
}

}  // namespace
}  // namespace trustsql
