// Every rule, alone and among the others, against SQLite on random databases: what a rewriting gives is what the query
// gave.
//
// A sample by default, whole with TRUSTSQL_TEST_SLOW=1. TRUSTSQL_TEST_RULE=name looks at one rule alone,
// TRUSTSQL_TEST_SEED and TRUSTSQL_TEST_RUNS change the random queries, TRUSTSQL_TEST_DOUBTS=1 prints what is doubtful.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>

#include "plan/all_rules.hpp"
#include "unit/plan/rule_tester.hpp"
#include "unit/plan/trigger_queries.hpp"
#include "unit/sql/query_generator.hpp"
#include "unit/sql/real_queries.hpp"
#include "unit/test_run.hpp"

namespace trustsql {
namespace {

using namespace testing_support;

std::uint64_t number(const char* name, std::uint64_t usual) {
  const char* set = std::getenv(name);
  return set != nullptr ? std::strtoull(set, nullptr, 10) : usual;
}
std::string rule() {
  const char* set = std::getenv("TRUSTSQL_TEST_RULE");
  return set != nullptr ? set : "";
}

void report(const TestCounts& counts) {
  std::cout << counts.to_text();
  for (std::size_t i = 0; i < std::min<std::size_t>(counts.failures.size(), 12); ++i)
    ADD_FAILURE() << counts.failures[i];
  EXPECT_EQ(counts.failures.size(), 0U);
  if (std::getenv("TRUSTSQL_TEST_DOUBTS") != nullptr) {
    for (const auto& doubt : counts.doubts) std::cout << doubt << "\n";
  }
}

Database open(const char* schema) {
  sqlite3* db = nullptr;
  sqlite3_open(":memory:", &db);
  char* message = nullptr;
  EXPECT_EQ(sqlite3_exec(db, schema, nullptr, nullptr, &message), SQLITE_OK) << message;
  return Database(db);
}

// Each rule alone, until its results have been compared often enough.
TEST(Rules, EachAlone) {
  TRUSTSQL_SKIP_BEFORE_3_39();
  const auto db = open(TriggerQueries::schema());
  const auto wanted = static_cast<int>(number("TRUSTSQL_TEST_RUNS", is_slow_run() ? 1000 : 40));
  TestCounts counts;
  for (const auto& name : TriggerQueries::rules()) {
    if (!rule().empty() && name != rule()) continue;
    TriggerQueries generator(number("TRUSTSQL_TEST_SEED", 1));
    for (std::uint64_t batch = 0; batch < 100 && counts.rules[name].runs < wanted && counts.failures.empty(); ++batch) {
      std::vector<std::string> queries;
      for (int i = 0; i < (is_slow_run() ? 60 : 12); ++i) queries.push_back(generator.query(name));
      RuleTester(db.get(), queries, 4, number("TRUSTSQL_TEST_SEED", 1) + batch, counts).run(name);
    }
    EXPECT_GE(counts.rules[name].runs, wanted) << name;
  }
  report(counts);
}

TEST(Rules, HaveQueriesThatTriggerThem) {
  const auto names = TriggerQueries::rules();
  for (const auto* each : plan::all_rules())
    EXPECT_NE(std::find(names.begin(), names.end(), each->name), names.end()) << each->name;
}

TEST(Rules, OnQueriesThatTriggerThem) {
  const auto db = open(TriggerQueries::schema());
  TestCounts counts;
  TriggerQueries generator(number("TRUSTSQL_TEST_SEED", 1));
  std::vector<std::string> queries;
  for (const auto& name : TriggerQueries::rules()) {
    if (!rule().empty() && name != rule()) continue;
    for (std::uint64_t i = 0, n = number("TRUSTSQL_TEST_RUNS", is_slow_run() ? 100 : 8); i < n; ++i)
      queries.push_back(generator.query(name));
  }
  // Values come from the queries: databases for a part of them at a time.
  for (std::size_t i = 0; i < queries.size(); i += 100) {
    const std::vector<std::string> part(
        queries.begin() + static_cast<std::ptrdiff_t>(i),
        queries.begin() + static_cast<std::ptrdiff_t>(std::min(i + 100, queries.size())));
    RuleTester(db.get(), part, 4, number("TRUSTSQL_TEST_SEED", 1) + i, counts).run(rule());
  }
  report(counts);
}

TEST(Rules, OnRandomQueries) {
  const auto db = open(QueryGenerator::schema());
  TestCounts counts;
  QueryGenerator generator(number("TRUSTSQL_TEST_SEED", 1), 0);
  for (std::uint64_t done = 0, n = number("TRUSTSQL_TEST_RUNS", is_slow_run() ? 6000 : 100); done < n; done += 100) {
    std::vector<std::string> queries;
    for (int i = 0; i < 100; ++i) queries.push_back(generator.query());
    RuleTester(db.get(), queries, 4, number("TRUSTSQL_TEST_SEED", 1) + done, counts).run(rule());
  }
  report(counts);
}

TEST(Rules, OnRealQueries) {
  const auto folder = testing_data::data_folder();
  if (!folder) GTEST_SKIP() << "no development data";
  std::map<std::string, std::vector<std::string>> by_database;
  const auto step = number("TRUSTSQL_TEST_STEP", is_slow_run() ? 5 : 200);
  std::size_t at = number("TRUSTSQL_TEST_SEED", 1);
  for (auto& query : testing_data::real_queries()) {
    if (at++ % step == 0 && !query.database.empty()) by_database[query.database].push_back(std::move(query.sql));
  }
  testing_data::Databases databases(*folder);
  TestCounts counts;
  for (const auto& [database, queries] : by_database) {
    if (counts.failures.size() > 40) break;
    RuleTester(databases.open(database), queries, 3, 7, counts).run(rule());
  }
  report(counts);
}

}  // namespace
}  // namespace trustsql
