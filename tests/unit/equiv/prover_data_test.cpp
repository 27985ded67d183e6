// The prover on the real pairs: whatever it proves holds in random databases, and it never proves a query and one of
// its mutants unless the databases cannot tell them apart.
//
// A sample by default, all with TRUSTSQL_TEST_SLOW=1; TRUSTSQL_TEST_RUNS is the number of databases of each kind.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <map>
#include <numeric>

#include "unit/equiv/pair_tester.hpp"
#include "unit/sql/real_queries.hpp"
#include "unit/test_run.hpp"

namespace trustsql::equiv {
namespace {

using testing_support::PairTester;

int runs(int usual) {
  const char* set = std::getenv("TRUSTSQL_TEST_RUNS");
  return set != nullptr ? std::atoi(set) : usual;
}

// By database.
std::map<std::string, std::vector<testing_data::RealPair>> pairs_by_database(std::size_t step) {
  std::map<std::string, std::vector<testing_data::RealPair>> result;
  std::size_t index = 0;
  for (auto& pair : testing_data::real_pairs()) {
    if (index++ % step == 0 && !pair.database.empty()) result[pair.database].push_back(std::move(pair));
  }
  return result;
}

TEST(ProverOnRealPairs, WhatIsProvedHolds) {
  const auto folder = testing_data::data_folder();
  if (!folder) GTEST_SKIP() << "no development data";
  testing_data::Databases databases(*folder);
  std::map<std::string, std::array<int, 4>>
      counts;  // by file: pairs, those labelled the same, proofs, those of pairs labelled the same
  int compared = 0;
  int checked_steps = 0;
  std::vector<double> times;   // of proofs with their check, in milliseconds
  std::vector<double> shares;  // the time of the check as a share of the proof's
  double checked_for = 0;      // milliseconds
  for (const auto& [database, pairs] : pairs_by_database(is_slow_run() ? 1 : 25)) {
    PairTester tester(databases.open(database));
    struct Proved {
      const testing_data::RealPair* pair;
      bool assuming;
    };
    std::vector<Proved> proved;
    for (const auto& pair : pairs) {
      const auto a = tester.plan(pair.a);
      const auto b = tester.plan(pair.b);
      if (!a || !b) continue;
      auto& count = counts[pair.source];
      ++count[0];
      count[1] += pair.label == 1 ? 1 : 0;
      const auto begun = std::chrono::steady_clock::now();
      // SQLite need not take tied rows alike.
      auto assume = plan::Assume::everything();
      assume.ties = false;
      const auto attempt = prove(*a, *b, {.assume = assume});
      const std::chrono::duration<double, std::milli> duration = std::chrono::steady_clock::now() - begun;
      checked_steps += attempt.checked_steps;
      if (attempt.gap.kind == ProofGap::Kind::rejected)
        ADD_FAILURE() << attempt.gap.detail << "\n  a: " << pair.a << "\n  b: " << pair.b;
      if (!attempt.proof) continue;
      const std::chrono::duration<double, std::milli> checking = attempt.checking;
      times.push_back(duration.count());
      shares.push_back(checking.count() / (duration.count() - checking.count()));
      checked_for += checking.count();
      ++count[2];
      count[3] += pair.label == 1 ? 1 : 0;
      proved.push_back({&pair, !attempt.proof->assumptions.empty()});
    }
    if (proved.empty()) continue;
    tester.make_databases(runs(is_slow_run() ? 100 : 5), 7);
    for (const auto& [pair, assuming] : proved) {
      const auto outcome = tester.compare(pair->a, pair->b, assuming, false);
      compared += outcome.runs;
      if (!outcome.difference.empty()) {
        ADD_FAILURE() << pair->source << " " << pair->id << " (" << database << ")\n  a: " << pair->a
                      << "\n  b: " << pair->b << "\n  " << outcome.difference;
      }
    }
  }
  for (const auto& [file, count] : counts) {
    std::cout << file << ": " << count[0] << " pairs, " << count[2] << " proved; labelled the same " << count[1]
              << ", of these proved " << count[3] << "\n";
  }
  std::sort(times.begin(), times.end());
  std::sort(shares.begin(), shares.end());
  const auto all = std::accumulate(times.begin(), times.end(), 0.0);
  std::cout << compared << " comparisons; " << checked_steps << " rewritings checked; a proof takes "
            << (times.empty() ? 0 : times[times.size() / 2]) << " ms (median), all take " << all
            << " ms, of that the check " << checked_for << " ms; beside a proof it takes "
            << (shares.empty() ? 0 : shares[shares.size() / 2]) << " of its time (median)\n";
  EXPECT_GT(compared, 0);
  EXPECT_GT(checked_steps, 0);
}

}  // namespace
}  // namespace trustsql::equiv
