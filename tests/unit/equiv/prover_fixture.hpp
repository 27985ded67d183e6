// A prover of pairs over a schema, for tests of what it proves and of what it must not prove.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "equiv/prover.hpp"
#include "unit/plan/plan_of.hpp"

namespace trustsql::equiv {

class ProverOfPairs : public testing::Test {
 protected:
  explicit ProverOfPairs(const char* ddl) : maker_(ddl) {}

  ProofAttempt attempt(const std::string& a, const std::string& b, const ProveOptions& options = {}) const {
    return prove(maker_.plan(a), maker_.plan(b), options);
  }
  void same(const std::string& a, const std::string& b, const ProveOptions& options = {}) const {
    const auto result = attempt(a, b, options);
    EXPECT_TRUE(result.proof) << a << "\n" << b << "\n" << result.gap.detail;
    EXPECT_TRUE(attempt(b, a, options).proof) << "the other way round: " << b << "\n" << a;
  }
  void unknown(const std::string& a, const std::string& b, ProofGap::Kind kind = ProofGap::Kind::different_trees,
               const ProveOptions& options = {}) const {
    for (const auto& result : {attempt(a, b, options), attempt(b, a, options)}) {
      EXPECT_FALSE(result.proof) << a << "\n" << b;
      EXPECT_EQ(result.gap.kind, kind) << a << "\n" << b << "\n" << result.gap.detail;
    }
  }

  testing_support::PlanMaker maker_;
};

inline const ProveOptions everything{.assume = plan::Assume::everything()};

// Over singers, their concerts and the tickets for these.
class Prover : public ProverOfPairs {
 protected:
  Prover()
      : ProverOfPairs(R"(
  CREATE TABLE singer(id INTEGER PRIMARY KEY, name TEXT NOT NULL, age INT, country TEXT);
  CREATE TABLE concert(id INTEGER PRIMARY KEY, title TEXT, year INT NOT NULL, singer_id INTEGER REFERENCES singer(id));
  CREATE TABLE ticket(code TEXT PRIMARY KEY, concert_id INT NOT NULL REFERENCES concert(id), price REAL);
  CREATE TABLE odd(x, y TEXT COLLATE NOCASE, z INT);
)") {}
};

}  // namespace trustsql::equiv
