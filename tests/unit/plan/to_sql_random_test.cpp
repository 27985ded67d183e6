// Plans of queries that use all of SQLite's SELECT language, as SQL: they give the results of the queries.
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>
#include <map>

#include "db/catalog_reader.hpp"
#include "plan/builder.hpp"
#include "plan/to_sql.hpp"
#include "sql/ast_walk.hpp"
#include "sql/parser.hpp"
#include "unit/plan/plan_queries.hpp"
#include "unit/plan/result_comparison.hpp"
#include "unit/sql/query_generator.hpp"

namespace trustsql::plan {
namespace {

using testing_support::Agreement;
using testing_support::QueryGenerator;

int setting(const char* name, int usual) {
  const char* set = std::getenv(name);
  return set != nullptr ? std::atoi(set) : usual;
}

// Whether the value goes by the order of rows for which the window's ORDER BY may have no preference.
bool goes_by_row_order(const WindowCall& call) {
  static constexpr std::string_view functions[] = {"first_value", "last_value", "nth_value", "lag", "lead", "row_number", "ntile", "group_concat"};
  return std::find(std::begin(functions), std::end(functions), call.name) != std::end(functions) ||
         (call.frame && call.frame->unit == ast::FrameUnit::rows);
}

// Whether SQLite is free to choose some of the rows: those before a LIMIT, or those of columns beside aggregates, or to order
// those of a window.
bool takes_any_row(const Plan& plan) {
  bool found = false;
  ast::walk(plan.root, [&](const Limit& limit) { found = found || !limit.input->is<Sort>(); });
  ast::walk(plan.root, [&](const Aggregate& aggregate) {
    const auto picks =
        std::count_if(aggregate.calls.begin(), aggregate.calls.end(), [](const AggregateCall& c) { return c.name == "min" || c.name == "max"; });
    found = found || (aggregate.has_bare_columns() && picks != 1);
  });
  ast::walk(plan.root, [&](const Window& window) { found = found || std::any_of(window.calls.begin(), window.calls.end(), goes_by_row_order); });
  return found;
}

class PlanAsSql : public ::testing::Test {
 protected:
  PlanAsSql() {
    sqlite3_open(":memory:", &db_);
    char* message = nullptr;
    EXPECT_EQ(sqlite3_exec(db_, QueryGenerator::schema(), nullptr, nullptr, &message), SQLITE_OK) << message;
    // Before 3.41 a compound view with names of its own for its columns has the collations of its last arm, another quite
    // the same view those of its first.
    EXPECT_EQ(sqlite3_exec(db_, "DROP VIEW v2; CREATE VIEW v2 AS SELECT a AS p, max(e) AS q FROM u GROUP BY a UNION SELECT b, a FROM w", nullptr,
                           nullptr, &message),
              SQLITE_OK)
        << message;
    catalog_ = *read_catalog(db_);
    rowid_in_views_ = sqlite3_exec(db_, "SELECT rowid FROM (SELECT 1)", nullptr, nullptr, nullptr) == SQLITE_OK;
  }
  ~PlanAsSql() override { sqlite3_close(db_); }

  // "" if all is well.
  std::string disagreement(const std::string& sql, bool must_resolve) {
    const auto parsed = parse_query(sql, {.version = sqlite3_libversion_number()});
    if (!parsed.ok()) return must_resolve ? parsed.error().message : "";
    const auto resolution =
        resolve(*parsed, catalog_, {.functions = &functions_, .rowid_in_views = rowid_in_views_, .version = sqlite3_libversion_number()});
    if (!resolution.ok()) return must_resolve ? resolution.error().message : "";
    const auto plan = build_plan(*resolution);
    if (!plan.ok()) return plan.error().message;
    const auto written = to_sql(*plan);
    testing_support::CompareOptions options;
    options.ordered = must_resolve && !parsed->order_by.empty();  // random queries order by what has ties
    options.max_steps = 2'000'000;
    auto compared = compare_results(db_, sql, written, options);
    if (compared.outcome == Agreement::different && !must_resolve) {
      // Of 1 and 1.0 a set operator or DISTINCT keeps either.
      options.exact_reals = false;
      compared = compare_results(db_, sql, written, options);
    }
    if (compared.outcome == Agreement::different && !must_resolve && takes_any_row(*plan)) return "";
    ++outcomes_[compared.outcome];
    if (compared.outcome == Agreement::failed && must_resolve) return compared.difference;
    if (compared.outcome != Agreement::different) return "";
    return "as SQL: " + written + "\n  " + compared.difference;
  }

  sqlite3* db_ = nullptr;
  Catalog catalog_;
  FunctionTable functions_ = FunctionTable::built_in(sqlite3_libversion_number());
  bool rowid_in_views_ = false;
  std::map<Agreement, int> outcomes_;
};

TEST_F(PlanAsSql, GivesTheSameResults) {
  for (const auto& sql : testing_support::plan_queries()) EXPECT_EQ(disagreement(sql, true), "") << sql;
}

TEST_F(PlanAsSql, GivesTheSameResultsForRandomQueries) {
  QueryGenerator generator(static_cast<std::uint64_t>(setting("TRUSTSQL_TEST_SEED", 1)), 0.0);
  int failures = 0;
  for (int i = 0, runs = setting("TRUSTSQL_TEST_RUNS", 1500); i < runs && failures < 15; ++i) {
    const auto sql = generator.query();
    // Where views have rowids, what they are depends on how SQLite goes about the view: NULL, or numbers.
    if (rowid_in_views_ && sql.find("rowid") != sql.npos) continue;
    const auto found = disagreement(sql, false);
    if (!found.empty()) ADD_FAILURE() << (++failures, sql) << "\n  " << found;
  }
  for (const auto& [outcome, count] : outcomes_) {
    static const char* const names[] = {"same", "unordered", "loose", "failed", "different"};
    std::cout << names[static_cast<int>(outcome)] << " " << count << "  ";
  }
  std::cout << "\n";
}

}  // namespace
}  // namespace trustsql::plan
