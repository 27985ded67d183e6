// Plans of queries that use all of SQLite's SELECT language, as SQL: they give the results of the queries.
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>
#include <map>

#include "db/catalog/catalog_reader.hpp"
#include "plan/builder.hpp"
#include "plan/normaliser.hpp"
#include "plan/order_dependence.hpp"
#include "plan/sqlite_bugs.hpp"
#include "plan/to_sql.hpp"
#include "plan/verify.hpp"
#include "sql/ast_walk.hpp"
#include "sql/parser.hpp"
#include "unit/plan/plan_queries.hpp"
#include "unit/plan/result_comparison.hpp"
#include "unit/sql/query_generator.hpp"
#include "unit/test_run.hpp"

namespace trustsql::plan {
namespace {

using testing_support::Agreement;
using testing_support::QueryGenerator;

int setting(const char* name, int usual) {
  const char* set = std::getenv(name);
  return set != nullptr ? std::atoi(set) : usual;
}

// Whether the value depends on the order of rows that may be tied in the window's ORDER BY.
bool goes_by_row_order(const WindowCall& call) {
  static constexpr std::string_view functions[] = {"first_value", "last_value", "nth_value", "lag",
                                                   "lead",        "row_number", "ntile",     "group_concat"};
  return std::find(std::begin(functions), std::end(functions), call.name) != std::end(functions) ||
         (call.frame && call.frame->unit == ast::FrameUnit::rows);
}

bool is_declared_not_null(const Attribute& attribute) {
  return attribute.table != nullptr && attribute.position >= 0 &&
         attribute.table->columns[static_cast<std::size_t>(attribute.position)].not_null;
}

// Whether SQLite is free to choose some of the rows: those before a LIMIT, or those of columns next to aggregates, or
// to order those of a window or of an aggregate that concatenates them; or whether it gets the query wrong.
bool takes_any_row(const Plan& plan) {
  bool takes_any = false;
  AttributeSet of_tables;
  ast::walk(plan.root, [&](const Scan& scan) {
    for (const auto& column : scan.columns) of_tables.add(column.id);
  });
  ast::walk(plan.root, [&](const Limit& limit) {
    const auto* sort = limit.input->as<Sort>();
    takes_any = takes_any || sort == nullptr || !is_total_order(*sort, plan);
  });
  ast::walk(plan.root, [&](const Aggregate& aggregate) {
    int picks = 0;
    bool ties = false;
    for (const auto& call : aggregate.calls) {
      if (call.name == "group_concat" || call.name.starts_with("json_group_")) takes_any = true;
      if (call.name != "min" && call.name != "max") continue;
      ++picks;
      ties = is_constant(call.arguments.front());
    }
    takes_any = takes_any || (aggregate.has_bare_columns() && (picks != 1 || ties));
    // What was computed below may be computed here instead, from NULLs if there are no rows. And for those SQLite says
    // that columns declared NOT NULL are not NULL, if it is asked in the same SELECT.
    for (const auto& call : aggregate.calls) {
      if (aggregate.grouped || !call.is_bare()) continue;
      const auto columns = references(call.arguments.front());
      takes_any = takes_any || !columns.is_subset_of(of_tables);
      columns.for_each([&](AttributeId id) { takes_any = takes_any || is_declared_not_null(plan.attributes[id]); });
    }
  });
  takes_any = takes_any || find_sqlite_bug(plan) != nullptr;
  ast::walk(plan.root, [&](const Window& window) {
    takes_any = takes_any || std::any_of(window.calls.begin(), window.calls.end(), goes_by_row_order);
  });
  return takes_any;
}

class PlanAsSql : public ::testing::Test {
 protected:
  PlanAsSql() {
    sqlite3_open(":memory:", &db_);
    char* message = nullptr;
    EXPECT_EQ(sqlite3_exec(db_, QueryGenerator::schema(), nullptr, nullptr, &message), SQLITE_OK) << message;
    // Before 3.41 a compound view with names of its own for its columns has the collations of its last arm, another
    // quite the same view those of its first.
    EXPECT_EQ(
        sqlite3_exec(
            db_,
            "DROP VIEW v2; CREATE VIEW v2 AS SELECT a AS p, max(e) AS q FROM u GROUP BY a UNION SELECT b, a FROM w",
            nullptr, nullptr, &message),
        SQLITE_OK)
        << message;
    catalog_ = *read_catalog(db_);
    rowid_in_views_ = sqlite3_exec(db_, "SELECT rowid FROM (SELECT 1)", nullptr, nullptr, nullptr) == SQLITE_OK;
  }
  ~PlanAsSql() override { sqlite3_close(db_); }

  // "" if all is well. `change` may rewrite the plan first, and then choose what the query leaves unspecified.
  std::string disagreement(const std::string& sql, bool must_resolve, const std::function<Plan(Plan)>& change = {}) {
    const auto parsed = parse_query(sql, {.version = sqlite3_libversion_number()});
    if (!parsed.ok()) return must_resolve ? parsed.error().message : "";
    const auto resolution =
        resolve(*parsed, catalog_,
                {.functions = &functions_, .rowid_in_views = rowid_in_views_, .version = sqlite3_libversion_number()});
    if (!resolution.ok()) return must_resolve ? resolution.error().message : "";
    auto plan = build_plan(*resolution);
    if (!plan.ok()) return plan.error().message;
    if (const auto verified = verify(*plan); !verified.ok()) return verified.error().message;
    testing_support::CompareOptions options;
    options.ordered = must_resolve && !parsed->order_by.empty();  // random queries order by terms with ties
    bool open = false;
    if (change) {
      const auto* sort = order_of_result(plan->root);
      options.ordered = options.ordered && sort != nullptr && is_total_order(*sort, *plan);
      open = !order_dependence(*plan).empty();
      plan = change(*std::move(plan));
    }
    const auto written = to_sql(*plan);
    options.max_steps = 2'000'000;
    auto compared = compare_results(db_, sql, written, options);
    if (compared.outcome == Agreement::different && !must_resolve) {
      // A set operator or DISTINCT may keep either of 1 and 1.0.
      options.exact_reals = false;
      compared = compare_results(db_, sql, written, options);
    }
    if (compared.outcome == Agreement::different && compared.runs && (open || (!must_resolve && takes_any_row(*plan))))
      return "";
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
  TRUSTSQL_SKIP_BEFORE_3_39();
  for (const auto& sql : testing_support::plan_queries()) EXPECT_EQ(disagreement(sql, true), "") << sql;
}

TEST_F(PlanAsSql, GivesTheSameResultsWhenNormalised) {
  TRUSTSQL_SKIP_BEFORE_3_39();
  for (const auto& sql : testing_support::plan_queries()) {
    EXPECT_EQ(disagreement(sql, true,
                           [](Plan plan) {
                             return normalise(std::move(plan), {.assume = Assume::nothing(), .verify = true}).plan;
                           }),
              "")
        << sql;
  }
}

TEST_F(PlanAsSql, GivesTheSameResultsForRandomQueries) {
  QueryGenerator generator(static_cast<std::uint64_t>(setting("TRUSTSQL_TEST_SEED", 1)), 0.0);
  int failures = 0;
  for (int i = 0, runs = setting("TRUSTSQL_TEST_RUNS", 1500); i < runs && failures < 15; ++i) {
    const auto sql = generator.query();
    // If views have rowids, their values depend on how SQLite evaluates the view: NULL, or numbers.
    if (rowid_in_views_ && sql.find("rowid") != sql.npos) continue;
    const auto difference = disagreement(sql, false);
    if (!difference.empty()) ADD_FAILURE() << (++failures, sql) << "\n  " << difference;
  }
  for (const auto& [outcome, count] : outcomes_) {
    static const char* const names[] = {"same", "unordered", "loose", "failed", "different"};
    std::cout << names[static_cast<int>(outcome)] << " " << count << "  ";
  }
  std::cout << "\n";
}

}  // namespace
}  // namespace trustsql::plan
