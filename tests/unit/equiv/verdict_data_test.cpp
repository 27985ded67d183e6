// Verdicts on real pairs, and on real queries and their mutants: what is proved equivalent must hold on many databases,
// according to a check that knows nothing of the proof.
//
// A sample by default; TRUSTSQL_TEST_SLOW=1 for 10,000 mutants and all labelled pairs, with 1,000 databases for each.
// TRUSTSQL_TEST_SHOW=1 prints the mutants that were proved.
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "base/random.hpp"
#include "db/sources/ddl_source.hpp"
#include "db/sources/host_database.hpp"
#include "equiv/mutants.hpp"
#include "equiv/verdict.hpp"
#include "sql/parser.hpp"
#include "sql/printer.hpp"
#include "sql/query_shape.hpp"
#include "unit/equiv/refuter_ground.hpp"
#include "unit/sql/real_queries.hpp"
#include "unit/test_run.hpp"

namespace trustsql::equiv {
namespace {

using test::RefuterGround;

// The schemas of real queries, each opened once.
class Grounds {
 public:
  explicit Grounds(std::filesystem::path folder)
      : folder_(std::move(folder)), host_(*Connection::open_memory()), database_(host_.handle()) {}

  // `database`: as in a RealQuery. nullptr if SQLite rejects the DDL.
  RefuterGround* get(const std::string& database) {
    const auto [entry, is_new] = grounds_.try_emplace(database);
    if (!is_new) return entry->second.get();
    const auto path = folder_ / database;
    if (path.extension() == ".sqlite") {
      entry->second = std::make_unique<RefuterGround>(*database_.open_file(path.string(), RefuterGround::settings()));
    } else {
      std::ifstream file(path);
      const std::string ddl(std::istreambuf_iterator<char>(file), {});
      if (auto source = open_ddl(ddl, RefuterGround::settings()); source.ok())
        entry->second = std::make_unique<RefuterGround>(*std::move(source));
    }
    return entry->second.get();
  }

 private:
  std::filesystem::path folder_;
  Connection host_;
  HostDatabase database_;
  std::map<std::string, std::unique_ptr<RefuterGround>> grounds_;
};

// Databases other than those of compare(): another seed, and more of them.
RefuteOptions thorough_search(const std::string& a, const std::string& b, int databases) {
  RefuteOptions options;
  options.databases = databases;
  options.seed = 99;
  options.rows = has_outermost_order_by(a) || has_outermost_order_by(b) ? RowsAs::list : RowsAs::bag;
  return options;
}

// What a proof relied on does not happen.
void keep_assumptions(const Proof& proof, RefuteOptions& options) {
  for (const auto& assumption : proof.assumptions) {
    switch (assumption.kind) {
      case plan::Assumption::Kind::primary_key_not_null: options.primary_keys_null = false; break;
      case plan::Assumption::Kind::foreign_key: options.allowed.remove(Deviation::foreign_key); break;
      case plan::Assumption::Kind::check: break;  // the databases are filled by SQLite, which checks them
      case plan::Assumption::Kind::declared_type: options.allowed.remove(Deviation::type); break;
      case plan::Assumption::Kind::number_text:
      case plan::Assumption::Kind::integer_text:
      case plan::Assumption::Kind::date_text:
      case plan::Assumption::Kind::datetime_text: options.allowed.remove(Deviation::affinity); break;
      case plan::Assumption::Kind::no_null: options.allowed.remove(Deviation::null); break;
      case plan::Assumption::Kind::no_empty_table: options.allowed.remove(Deviation::empty); break;
      case plan::Assumption::Kind::no_case_variants: options.allowed.remove(Deviation::letter_case); break;
      case plan::Assumption::Kind::same_ties: options.same_ties = true; break;
    }
  }
}

TEST(VerdictOnPairs, WhatIsProvedHoldsOnManyDatabases) {
  const auto folder = testing_data::data_folder();
  if (!folder) GTEST_SKIP() << "no development data";
  Grounds grounds(*folder);
  std::map<std::string, std::array<int, 3>> counts;  // by file: compared, proved, proved under assumptions
  std::size_t index = 0;
  for (const auto& pair : testing_data::real_pairs()) {
    const std::size_t step = is_slow_run() ? (pair.label ? 1 : 10) : 50;
    if (index++ % step != 0 || pair.database.empty()) continue;
    auto* ground = grounds.get(pair.database);
    if (ground == nullptr) continue;
    auto comparer = QueryComparer::create(ground->source(), SandboxLimits{});
    ASSERT_TRUE(comparer.ok());
    ComparisonOptions options;
    options.assume = plan::Assume::everything();
    options.best_grade = options.counterexample = false;
    const auto comparison = (*comparer)->compare(pair.a, pair.b, options, {});
    ASSERT_TRUE(comparison.ok()) << comparison.error().message;
    auto& count = counts[pair.source];
    ++count[0];
    if (comparison->verdict != Verdict::proved) continue;
    ++count[1];
    if (!comparison->proof->assumptions.empty()) ++count[2];
    auto search = thorough_search(pair.a, pair.b, is_slow_run() ? 1000 : 50);
    keep_assumptions(*comparison->proof, search);
    const auto refutation = ground->refute(pair.a, pair.b, search);
    ASSERT_TRUE(refutation.ok()) << refutation.error().message;
    EXPECT_FALSE(refutation->counterexample) << pair.source << " " << pair.id << "\n"
                                             << pair.a << "\n"
                                             << pair.b << "\n"
                                             << refutation->counterexample->script;
  }
  for (const auto& [file, count] : counts) {
    std::cout << file << ": " << count[0] << " pairs, " << count[1] << " proved, " << count[2]
              << " of these under assumptions\n";
  }
}

TEST(VerdictOnMutants, WhatIsProvedHoldsOnManyDatabases) {
  const auto folder = testing_data::data_folder();
  if (!folder) GTEST_SKIP() << "no development data";
  const std::size_t wanted = is_slow_run() ? 10'000 : 300;
  constexpr std::size_t mutants_of_each = 4;

  Grounds grounds(*folder);
  std::map<std::string, int> verdicts;
  Random random(1);
  auto queries = testing_data::real_queries();
  std::erase_if(queries, [](const auto& query) { return !query.database.ends_with(".sqlite"); });
  std::size_t pairs = 0;
  while (pairs < wanted) {
    const auto& real = queries[static_cast<std::size_t>(random.below(queries.size()))];
    auto* ground = grounds.get(real.database);
    const auto query = parse_query(real.sql);
    if (!query.ok()) continue;
    const auto resolution = resolve(*query, ground->catalog());
    if (!resolution.ok()) continue;
    const auto mutants = mutants_of(*query, &*resolution);
    auto comparer = QueryComparer::create(ground->source(), SandboxLimits{});
    ASSERT_TRUE(comparer.ok());
    for (std::size_t i = 0; i < mutants_of_each && !mutants.empty() && pairs < wanted; ++i) {
      const std::string mutant = print_query(mutants[static_cast<std::size_t>(random.below(mutants.size()))].query);
      ComparisonOptions options;
      options.best_grade = options.counterexample = false;
      const auto comparison = (*comparer)->compare(real.sql, mutant, options, {});
      ASSERT_TRUE(comparison.ok()) << comparison.error().message;
      if (comparison->reason == UnknownReason::invalid_query) continue;
      ++pairs;
      ++verdicts[std::string(name(comparison->verdict))];
      if (comparison->verdict != Verdict::proved) continue;
      const auto thorough = thorough_search(real.sql, mutant, 1000);
      const auto refutation = ground->refute(real.sql, mutant, thorough);
      ASSERT_TRUE(refutation.ok()) << refutation.error().message;
      EXPECT_FALSE(refutation->counterexample) << real.sql << "\n"
                                               << mutant << "\n"
                                               << refutation->counterexample->script;
      if (std::getenv("TRUSTSQL_TEST_SHOW") != nullptr)
        std::cout << real.database << "\n  " << real.sql << "\n  " << mutant << "\n";
    }
  }
  for (const auto& [verdict, count] : verdicts) std::cout << verdict << " " << count << "\n";
  EXPECT_GT(verdicts["refuted"], verdicts["proved"]);
}

}  // namespace
}  // namespace trustsql::equiv
