// Plans of the real queries, as SQL: what is built from a query and written down again gives the results of the query,
// in its own database where there is one, and in random ones.
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>
#include <map>
#include <set>

#include "base/text.hpp"
#include "db/catalog/catalog_reader.hpp"
#include "plan/builder.hpp"
#include "plan/to_sql.hpp"
#include "plan/verify.hpp"
#include "sql/ast_walk.hpp"
#include "sql/parser.hpp"
#include "sql/printer.hpp"
#include "unit/plan/result_comparison.hpp"
#include "unit/sql/real_queries.hpp"

namespace trustsql::plan {
namespace {

using testing_support::Compared;

// The literals of a query, and what is close to them.
std::vector<std::string> literals(const ast::Query& query) {
  std::vector<std::string> values;
  ast::walk(query, [&](const ast::Literal& literal) {
    const auto value = literal.value();
    if (const auto* integer = std::get_if<std::int64_t>(&value);
        integer != nullptr && *integer > -1'000'000'000 && *integer < 1'000'000'000) {
      for (const auto near : {*integer - 1, *integer, *integer + 1}) values.push_back(std::to_string(near));
    } else {
      values.push_back(print_expression({ast::Literal(literal), {}}));
    }
  });
  return values;
}

TEST(PlanOfRealQueries, AsSqlGivesTheSameResults) {
  const auto folder = testing_data::data_folder();
  if (!folder) GTEST_SKIP() << "no development data";
  const bool all = std::getenv("TRUSTSQL_TEST_SLOW") != nullptr;
  testing_data::Databases databases(*folder);
  std::map<std::string, Catalog> catalogs;
  const auto functions = FunctionTable::built_in(sqlite3_libversion_number());
  std::map<testing_support::Agreement, int> outcomes;
  std::map<std::string, int> reasons;  // why runs failed
  int prepared = 0, with_rows = 0, failures = 0, index = 0;
  const auto queries = testing_data::real_queries();
  for (const auto& query : queries) {
    if (!all && index++ % 29 != 0) continue;
    sqlite3* db = databases.open(query.database);
    if (catalogs.count(query.database) == 0) catalogs[query.database] = *read_catalog(db);
    const auto parsed = parse_query(query.sql, {.version = sqlite3_libversion_number()});
    if (!parsed.ok()) continue;
    const ResolveOptions dialect{
        .functions = &functions,
        .rowid_in_views = sqlite3_exec(db, "SELECT rowid FROM (SELECT 1)", nullptr, nullptr, nullptr) == SQLITE_OK,
        .version = sqlite3_libversion_number()};
    const auto resolution = resolve(*parsed, catalogs[query.database], dialect);
    if (!resolution.ok()) continue;
    ++prepared;
    const auto plan = build_plan(*resolution);
    const auto where = query.source + ", " + query.database + ": " + query.sql;
    ASSERT_TRUE(plan.ok()) << where << "\n" << plan.error().message;
    if (const auto verified = verify(*plan); !verified.ok()) ADD_FAILURE() << where << "\n" << verified.error().message;
    const auto sql = to_sql(*plan);
    testing_support::CompareOptions options;
    options.ordered = !parsed->order_by.empty();
    options.max_steps = 3'000'000;
    bool had_rows = false;
    const auto check = [&](const Compared& compared) {
      ++outcomes[compared.outcome];
      if (compared.outcome == testing_support::Agreement::failed) ++reasons[compared.difference];
      had_rows = had_rows || compared.rows > 0;
      if (compared.outcome != testing_support::Agreement::different) return;
      if (++failures <= 30) ADD_FAILURE() << where << "\n  as SQL: " << sql << "\n  " << compared.difference;
    };
    if (query.database.ends_with(".sqlite")) {
      check(compare_results(db, query.sql, sql, options));
    } else {
      std::set<std::string> tables;
      for (const auto* relation : resolution->relations()) {
        if (relation->kind == Relation::Kind::table) tables.insert(std::string(relation->table->name));
      }
      const auto values = literals(*parsed);
      for (unsigned seed = 0; seed < 4; ++seed) {
        testing_support::fill_at_random(db, {tables.begin(), tables.end()}, values, seed);
        check(compare_results(db, query.sql, sql, options));
      }
    }
    with_rows += had_rows ? 1 : 0;
  }
  std::cout << prepared << " queries prepared, of which " << with_rows << " gave rows;";
  for (const auto& [outcome, count] : outcomes) {
    static const char* const names[] = {"same", "unordered", "loose", "failed", "different"};
    std::cout << " " << names[static_cast<int>(outcome)] << " " << count;
  }
  for (const auto& [reason, count] : reasons) std::cout << "\n  failed " << count << ": " << reason;
  std::cout << "\n";
  EXPECT_EQ(failures, 0);
  EXPECT_GT(with_rows, prepared / 2);
}

}  // namespace
}  // namespace trustsql::plan
