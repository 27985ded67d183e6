// The prover on pairs of queries that are nearly the same: random queries of one form, and queries and their mutants.
// What it proves must hold in random databases.
//
// A sample by default, more with TRUSTSQL_TEST_SLOW=1; TRUSTSQL_TEST_SEED changes the random queries,
// TRUSTSQL_TEST_RULE looks at one form alone.
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>
#include <map>

#include "equiv/mutants.hpp"
#include "plan/walk.hpp"
#include "sql/parser.hpp"
#include "sql/printer.hpp"
#include "unit/equiv/pair_tester.hpp"
#include "unit/plan/trigger_queries.hpp"
#include "unit/sql/query_generator.hpp"
#include "unit/sql/real_queries.hpp"
#include "unit/test_run.hpp"

namespace trustsql::equiv {
namespace {

using testing_support::Database;
using testing_support::PairTester;

std::uint64_t number(const char* name, std::uint64_t usual) {
  const char* set = std::getenv(name);
  return set != nullptr ? std::strtoull(set, nullptr, 10) : usual;
}

Database open(const char* schema) {
  sqlite3* db = nullptr;
  sqlite3_open(":memory:", &db);
  EXPECT_EQ(sqlite3_exec(db, schema, nullptr, nullptr, nullptr), SQLITE_OK);
  return Database(db);
}

struct Query {
  std::string sql;
  plan::Plan plan;
};

struct Counts {
  int pairs = 0;
  int proved = 0;
  int trees = 0;  // proved without a search
  int steps = 0;  // rewritings that the checker has accepted
  int runs = 0;
  int failures = 0;
};

std::string steps_of(const Proof& proof) {
  std::string text;
  for (const auto& step : proof.steps) {
    text += "\n    " + step.what;
    for (const auto& assumption : step.assumptions) text += " [" + plan::describe(assumption) + "]";
  }
  return text;
}

// If the checker rejects a step, either the step or the checker is wrong.
void note_check(const ProofAttempt& attempt, const std::string& a, const std::string& b, Counts& counts) {
  counts.steps += attempt.checked_steps;
  if (attempt.gap.kind == ProofGap::Kind::rejected && ++counts.failures <= 12)
    ADD_FAILURE() << "a: " << a << "\n  b: " << b << "\n  " << attempt.gap.detail;
}

void check(PairTester& tester, const std::string& a, const std::string& b, const ProofAttempt& attempt,
           Counts& counts) {
  ++counts.proved;
  if (attempt.proof->steps.back().what == "both are the same now") ++counts.trees;
  const auto outcome = tester.compare(a, b, !attempt.proof->assumptions.empty(), false);
  counts.runs += outcome.runs;
  if (outcome.difference.empty() || ++counts.failures > 12) return;
  ADD_FAILURE() << "a: " << a << "\n  b: " << b << "\n  " << outcome.difference << steps_of(*attempt.proof);
}

// All pairs of the queries, with and without assumptions.
void check_all(PairTester& tester, const std::vector<Query>& queries, Counts& counts) {
  for (std::size_t i = 0; i < queries.size(); ++i) {
    for (std::size_t k = 0; k < i; ++k) {
      if (queries[i].sql == queries[k].sql ||
          outputs(queries[i].plan.root).size() != outputs(queries[k].plan.root).size())
        continue;
      ++counts.pairs;
      const auto attempt = prove(queries[i].plan, queries[k].plan, {.assume = plan::Assume::everything()});
      note_check(attempt, queries[i].sql, queries[k].sql, counts);
      if (attempt.proof) check(tester, queries[i].sql, queries[k].sql, attempt, counts);
    }
  }
}

void report(const char* title, const Counts& counts) {
  std::cout << title << ": " << counts.pairs << " pairs, " << counts.proved << " proved (" << counts.trees
            << " by their trees alone), " << counts.runs << " comparisons, " << counts.steps << " steps checked\n";
}

TEST(ProverOnRandomPairs, OfOneForm) {
  using testing_support::TriggerQueries;
  const auto db = open(TriggerQueries::schema());
  Counts counts;
  const char* only = std::getenv("TRUSTSQL_TEST_RULE");
  for (const auto& rule : TriggerQueries::rules()) {
    if (only != nullptr && rule != only) continue;
    TriggerQueries generator(number("TRUSTSQL_TEST_SEED", 1));
    PairTester tester(db.get());
    std::vector<Query> queries;
    for (int i = 0; i < (is_slow_run() ? 150 : 15); ++i) {
      auto sql = generator.query(rule);
      if (auto plan = tester.plan(sql)) queries.push_back({std::move(sql), *std::move(plan)});
    }
    tester.make_databases(is_slow_run() ? 60 : 10, number("TRUSTSQL_TEST_SEED", 1));
    check_all(tester, queries, counts);
  }
  report("of one form", counts);
  EXPECT_GT(counts.proved, 0);
}

// Mutates each of the queries in every place.
void check_mutants(PairTester& tester, const std::vector<Query>& queries, Counts& counts) {
  for (const auto& query : queries) {
    const auto parsed = parse_query(query.sql);
    if (!parsed.ok()) continue;
    const auto resolution = resolve(*parsed, tester.catalog());
    for (const auto& mutant : mutants_of(*parsed, resolution.ok() ? &*resolution : nullptr)) {
      const auto sql = print_query(mutant.query);
      const auto plan = tester.plan(sql);
      if (!plan || outputs(plan->root).size() != outputs(query.plan.root).size()) continue;
      ++counts.pairs;
      const auto attempt = prove(query.plan, *plan, {.assume = plan::Assume::everything()});
      note_check(attempt, query.sql, sql, counts);
      if (attempt.proof) check(tester, query.sql, sql, attempt, counts);
    }
  }
}

TEST(ProverOnMutants, OfTriggerQueries) {
  using testing_support::TriggerQueries;
  const auto db = open(TriggerQueries::schema());
  Counts counts;
  const char* only = std::getenv("TRUSTSQL_TEST_RULE");
  for (const auto& rule : TriggerQueries::rules()) {
    if (only != nullptr && rule != only) continue;
    TriggerQueries generator(number("TRUSTSQL_TEST_SEED", 1));
    PairTester tester(db.get());
    std::vector<Query> queries;
    for (int i = 0; i < (is_slow_run() ? 60 : 4); ++i) {
      auto sql = generator.query(rule);
      if (auto plan = tester.plan(sql)) queries.push_back({std::move(sql), *std::move(plan)});
    }
    tester.make_databases(is_slow_run() ? 60 : 10, number("TRUSTSQL_TEST_SEED", 1));
    check_mutants(tester, queries, counts);
  }
  report("mutants of trigger queries", counts);
}

TEST(ProverOnMutants, OfRandomQueries) {
  using testing_support::QueryGenerator;
  const auto db = open(QueryGenerator::schema());
  Counts counts;
  QueryGenerator generator(number("TRUSTSQL_TEST_SEED", 1), 0);
  for (int batch = 0; batch < (is_slow_run() ? 20 : 1); ++batch) {
    PairTester tester(db.get());
    std::vector<Query> queries;
    for (int i = 0; i < 60; ++i) {
      auto sql = generator.query();
      if (auto plan = tester.plan(sql); plan && !is_volatile(plan->root))
        queries.push_back({std::move(sql), *std::move(plan)});
    }
    tester.make_databases(is_slow_run() ? 40 : 8, number("TRUSTSQL_TEST_SEED", 1));
    check_mutants(tester, queries, counts);
  }
  report("mutants of random queries", counts);
}

TEST(ProverOnMutants, OfRealQueries) {
  const auto folder = testing_data::data_folder();
  if (!folder) GTEST_SKIP() << "no development data";
  testing_data::Databases databases(*folder);
  std::map<std::string, std::vector<std::string>> by_database;
  std::size_t index = number("TRUSTSQL_TEST_SEED", 1);
  for (const auto& pair : testing_data::real_pairs()) {
    if (index++ % (is_slow_run() ? 5 : 200) == 0 && !pair.database.empty())
      by_database[pair.database].push_back(pair.a);
  }
  Counts counts;
  for (const auto& [database, texts] : by_database) {
    PairTester tester(databases.open(database));
    std::vector<Query> queries;
    for (const auto& sql : texts) {
      if (auto plan = tester.plan(sql)) queries.push_back({sql, *std::move(plan)});
    }
    tester.make_databases(is_slow_run() ? 40 : 10, number("TRUSTSQL_TEST_SEED", 1));
    check_mutants(tester, queries, counts);
  }
  report("mutants of real queries", counts);
}

}  // namespace
}  // namespace trustsql::equiv
