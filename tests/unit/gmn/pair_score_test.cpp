#include "gmn/pair_score.hpp"

#include <gtest/gtest.h>

namespace trustsql::gmn {
namespace {

equiv::ComparisonResult of(equiv::Verdict verdict, double score) {
  equiv::ComparisonResult comparison;
  comparison.verdict = verdict;
  comparison.score = score;
  return comparison;
}

TEST(PairScore, AProofIsNotMoved) { EXPECT_EQ(pair_score(of(equiv::Verdict::proved, 1), 100), 1); }

TEST(PairScore, TheNetworkOrdersPairsOfOneGrade) {
  for (const double score : {0.0, 0.05, 0.75, 0.95}) {
    const auto refuted = of(equiv::Verdict::refuted, score);
    EXPECT_GT(pair_score(refuted, 0), pair_score(refuted, 0.5));
    EXPECT_GT(pair_score(refuted, 0.5), pair_score(refuted, 3));
    EXPECT_EQ(pair_score(refuted, 4), pair_score(refuted, 1e9));
    EXPECT_GT(pair_score(refuted, 1e9), 0);
    EXPECT_LT(pair_score(refuted, 0), 1);
  }
}

TEST(PairScore, TheMiddleDistanceChangesNothing) {
  EXPECT_NEAR(pair_score(of(equiv::Verdict::unknown, 0.9), 1), 0.9, 1e-6);
}

}  // namespace
}  // namespace trustsql::gmn
