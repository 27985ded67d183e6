// Verdicts on real queries and their mutants: a mutant that is proved equivalent must stand the test of many databases, by a
// check that knows nothing of the proof.
//
// A sample by default, TRUSTSQL_TEST_SLOW=1 for 10,000 pairs. TRUSTSQL_TEST_SHOW=1 prints the mutants that were proved.
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>

#include "base/random.hpp"
#include "db/host_database.hpp"
#include "equiv/mutants.hpp"
#include "equiv/verdict.hpp"
#include "sql/parser.hpp"
#include "sql/printer.hpp"
#include "sql/query_shape.hpp"
#include "unit/equiv/refuter_ground.hpp"
#include "unit/sql/real_queries.hpp"

namespace trustsql::equiv {
namespace {

using test::RefuterGround;

TEST(VerdictOnMutants, WhatIsProvedStandsTheTestOfDatabases) {
  const auto folder = testing_data::data_folder();
  if (!folder) GTEST_SKIP() << "no development data";
  const bool slow = std::getenv("TRUSTSQL_TEST_SLOW") != nullptr;
  const std::size_t wanted = slow ? 10'000 : 300;
  constexpr std::size_t mutants_of_each = 4;

  auto host = Connection::open_memory();
  HostDatabase database(host->handle());
  std::map<std::string, std::unique_ptr<RefuterGround>> grounds;
  std::map<std::string, int> verdicts;
  Random random(1);
  auto queries = testing_data::real_queries();
  std::erase_if(queries, [](const auto& query) { return !query.database.ends_with(".sqlite"); });
  std::size_t pairs = 0;
  while (pairs < wanted) {
    const auto& real = queries[static_cast<std::size_t>(random.below(queries.size()))];
    auto& ground = grounds[real.database];
    if (!ground) ground = std::make_unique<RefuterGround>(*database.open_file((*folder / real.database).string(), RefuterGround::settings()));
    const auto query = parse_query(real.sql);
    if (!query.ok()) continue;
    const auto resolution = resolve(*query, ground->catalog());
    if (!resolution.ok()) continue;
    const auto mutants = mutants_of(*query, &*resolution);
    auto comparer = QueryComparer::create(ground->source(), SandboxLimits{});
    ASSERT_TRUE(comparer.ok());
    for (std::size_t i = 0; i < mutants_of_each && !mutants.empty() && pairs < wanted; ++i) {
      const std::string mutant = print_query(mutants[static_cast<std::size_t>(random.below(mutants.size()))].query);
      Question question;
      question.best_grade = question.counterexample = false;
      const auto comparison = (*comparer)->compare(real.sql, mutant, question, {});
      ASSERT_TRUE(comparison.ok()) << comparison.error().message;
      if (comparison->reason == UnknownReason::invalid_query) continue;
      ++pairs;
      ++verdicts[std::string(name(comparison->verdict))];
      if (comparison->verdict != Verdict::proved) continue;
      // Another seed, and a thousand databases.
      RefuteOptions thorough;
      thorough.databases = 1000;
      thorough.seed = 99;
      const bool is_list = has_outermost_order_by(real.sql) || has_outermost_order_by(mutant);
      thorough.rows = is_list ? RowsAs::list : RowsAs::bag;
      const auto refutation = ground->refute(real.sql, mutant, thorough);
      ASSERT_TRUE(refutation.ok()) << refutation.error().message;
      EXPECT_FALSE(refutation->counterexample) << real.sql << "\n" << mutant << "\n" << refutation->counterexample->script;
      if (std::getenv("TRUSTSQL_TEST_SHOW") != nullptr) std::cout << real.database << "\n  " << real.sql << "\n  " << mutant << "\n";
    }
  }
  for (const auto& [verdict, count] : verdicts) std::cout << verdict << " " << count << "\n";
  EXPECT_GT(verdicts["refuted"], verdicts["proved"]);
}

}  // namespace
}  // namespace trustsql::equiv
