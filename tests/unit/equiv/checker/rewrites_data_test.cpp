// The checker on the normaliser: every step that it takes on the real pairs, and on random queries of the form that a
// rule applies to, is accepted.
//
// A sample by default, all with TRUSTSQL_TEST_SLOW=1; TRUSTSQL_TEST_SEED changes the random queries, TRUSTSQL_TEST_RULE
// looks at one form alone. Prints what was checked, the rejections by rule, and what the check costs.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <iostream>
#include <map>

#include "equiv/checker/rewrites.hpp"
#include "plan/to_sql.hpp"
#include "unit/equiv/pair_tester.hpp"
#include "unit/plan/trigger_queries.hpp"
#include "unit/sql/real_queries.hpp"
#include "unit/test_run.hpp"

namespace trustsql::equiv::checker {
namespace {

using testing_support::PairTester;

struct Counts {
  int queries = 0;
  int steps = 0;
  std::map<std::string, int> rejected{};  // by reason
  std::chrono::duration<double> normalising{};
  std::chrono::duration<double> recording{};
  std::chrono::duration<double> checking{};

  void check(const plan::Plan& plan, const std::string& sql) {
    for (const auto& assume : {plan::Assume::nothing(), plan::Assume::everything()}) {
      const auto begun = std::chrono::steady_clock::now();
      plan::normalise(plan, {.assume = assume});
      const auto normalised = std::chrono::steady_clock::now();
      const auto recorded = plan::normalise(plan, {.assume = assume, .record = true});
      const auto ready = std::chrono::steady_clock::now();
      const auto result = check_rewrites(plan, recorded);
      checking += std::chrono::steady_clock::now() - ready;
      recording += ready - normalised;
      normalising += normalised - begun;
      ++queries;
      steps += result.steps;
      if (!result.rejection) continue;
      if (++rejected[*result.rejection] > 2) continue;
      ADD_FAILURE() << *result.rejection << "\n  " << sql << "\n  " << to_sql(plan);
    }
  }

  void report(const char* title) const {
    std::cout << title << ": " << queries << " queries, " << steps << " steps; normalised in " << normalising.count()
              << " s, with a record in " << recording.count() << " s, checked in " << checking.count() << " s\n";
    for (const auto& [why, times] : rejected) std::cout << "  rejected " << times << " times: " << why << "\n";
  }
};

TEST(CheckerOnRandomQueries, AcceptsEveryStep) {
  using testing_support::TriggerQueries;
  sqlite3* db = nullptr;
  ASSERT_EQ(sqlite3_open(":memory:", &db), SQLITE_OK);
  const testing_support::Database schema(db);
  ASSERT_EQ(sqlite3_exec(db, TriggerQueries::schema(), nullptr, nullptr, nullptr), SQLITE_OK);
  PairTester tester(db);
  const char* only = std::getenv("TRUSTSQL_TEST_RULE");
  const char* seed = std::getenv("TRUSTSQL_TEST_SEED");
  Counts counts;
  for (const auto& rule : TriggerQueries::rules()) {
    if (only != nullptr && rule != only) continue;
    TriggerQueries generator(seed != nullptr ? std::strtoull(seed, nullptr, 10) : 1);
    for (int i = 0; i < (is_slow_run() ? 1000 : 30); ++i) {
      const auto sql = generator.query(rule);
      if (const auto plan = tester.plan(sql)) counts.check(*plan, sql);
    }
  }
  counts.report("random queries");
  EXPECT_GT(counts.steps, 0);
}

TEST(CheckerOnRealPairs, AcceptsEveryStep) {
  const auto folder = testing_data::data_folder();
  if (!folder) GTEST_SKIP() << "no development data";
  testing_data::Databases databases(*folder);
  std::map<std::string, std::vector<std::string>> queries;  // by database
  std::size_t index = 0;
  for (const auto& pair : testing_data::real_pairs()) {
    if (index++ % (is_slow_run() ? 1 : 25) != 0 || pair.database.empty()) continue;
    queries[pair.database].push_back(pair.a);
    queries[pair.database].push_back(pair.b);
  }
  Counts counts;
  for (const auto& [database, of_database] : queries) {
    PairTester tester(databases.open(database));
    for (const auto& sql : of_database) {
      if (const auto plan = tester.plan(sql)) counts.check(*plan, sql);
    }
  }
  counts.report("real queries");
  EXPECT_GT(counts.steps, 0);
}

}  // namespace
}  // namespace trustsql::equiv::checker
