#include "score/reliability/reliability.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <random>

namespace trustsql {
namespace {

using enum ReliabilityCase;

TEST(Reliability, PhiIsEquationOne) {
  EXPECT_EQ(phi(I, 10), 1);
  EXPECT_EQ(phi(II, 10), 0);
  EXPECT_EQ(phi(III, 10), -10);
  EXPECT_EQ(phi(IV, 2.5), -2.5);
  EXPECT_EQ(phi(V, 10), 1);
  EXPECT_FALSE(std::signbit(phi(III, 0)));
}

TEST(Reliability, PenaltiesAreNumbersFromZeroOrN) {
  EXPECT_EQ(parse_penalty(ValueView::of_integer(10)).value(), Penalty::of(10));
  EXPECT_EQ(parse_penalty(ValueView::of_real(0.5)).value(), Penalty::of(0.5));
  EXPECT_EQ(parse_penalty(ValueView::of_text("N")).value(), Penalty::n());
  for (const auto bad : {ValueView::of_integer(-1), ValueView::of_real(-0.1), ValueView::of_real(std::nan("")),
                         ValueView::of_real(HUGE_VAL), ValueView::of_text("10"), ValueView::of_text(""),
                         ValueView::of_blob("N"), ValueView::null()}) {
    const auto parsed = parse_penalty(bad);
    ASSERT_FALSE(parsed.ok());
    EXPECT_TRUE(parsed.error().message.starts_with("c must be a number >= 0 or 'N', not ")) << parsed.error().message;
  }
}

// Table 8 gives CLS_M -> T5 on ATIS as 155 / (260 + 101), Table 2 gives 476 questions of each kind. From these counts
// alone the row's entries in Tables 3, 4 and 8 follow, as far as the paper prints them.
TEST(Reliability, CountsOfTable8GiveTables3And4) {
  const CaseCounts counts{{155, 476 - 260, 260 - 155, 101, 476 - 101}};
  EXPECT_NEAR(*reliability_score(counts, Penalty::of(0)), 55.7, 0.05);
  EXPECT_NEAR(*reliability_score(counts, Penalty::of(10)), -160.7, 0.05);
  EXPECT_NEAR(*reliability_score(counts, Penalty::n()), -20500, 50);
  EXPECT_NEAR(*reliability_score(counts.feasible_only(), Penalty::of(0)), 32.6, 0.05);
  EXPECT_NEAR(*reliability_score(counts.feasible_only(), Penalty::of(10)), -188.0, 0.05);
  EXPECT_NEAR(*reliability_score(counts.feasible_only(), Penalty::n()), -10500, 50);
  EXPECT_NEAR(*answer_precision(counts), 42.9, 0.05);
  EXPECT_NEAR(*coverage(counts), 100.0 * 361 / 952, 1e-12);
  EXPECT_EQ(*reliability_score(counts.abstain_all(), Penalty::n()), 50);
}

TEST(Reliability, NothingToScoreHasNoScore) {
  const CaseCounts none;
  EXPECT_FALSE(reliability_score(none, Penalty::n()));
  EXPECT_FALSE(coverage(none));
  EXPECT_FALSE(answer_precision(CaseCounts{{0, 3, 0, 0, 2}}));
  EXPECT_FALSE(reliability_score_at_share(CaseCounts{{3, 0, 0, 0, 0}}, Penalty::of(0), 0.5));
  EXPECT_EQ(reliability_score_at_share(CaseCounts{{3, 0, 1, 0, 0}}, Penalty::of(0), 0), 75);
}

TEST(Reliability, AnotherShareOfInfeasibleQuestionsReweightsTheTwoParts) {
  const CaseCounts counts{{6, 2, 2, 1, 3}};  // feasible: (6 - 2c) / 10, infeasible: (3 - c) / 4
  const double own_share = 4.0 / 14;
  for (const auto c : {Penalty::of(0), Penalty::of(2), Penalty::n()})
    EXPECT_NEAR(*reliability_score_at_share(counts, c, own_share), *reliability_score(counts, c), 1e-9);
  EXPECT_NEAR(*reliability_score_at_share(counts, Penalty::of(2), 0.5), 0.5 * 20 + 0.5 * 25, 1e-12);
  EXPECT_NEAR(*reliability_score_at_share(counts, Penalty::of(2), 1), 25, 1e-12);
}

TEST(ReliabilityMean, DifferentPenaltiesAreAnErrorAsLongAsTheyAreInTheFrame) {
  ReliabilityMean mean;
  mean.add(I, Penalty::of(1));
  mean.add(III, Penalty::n());
  const auto mixed = mean.value();
  ASSERT_FALSE(mixed.ok());
  EXPECT_EQ(mixed.error().message, "all rows of a group must have the same c; found 1.0 and 'N'");
  mean.remove(I, Penalty::of(1));
  EXPECT_EQ(mean.value().value(), -100);  // one row, N = 1
  mean.add(III, Penalty::n());
  EXPECT_EQ(mean.value().value(), -200);
  mean.remove(III, Penalty::n());
  mean.remove(III, Penalty::n());
  EXPECT_EQ(mean.value().value(), std::nullopt);
  mean.add(II, Penalty::of(7));
  EXPECT_EQ(mean.value().value(), 0);
}

TEST(ReliabilityMean, RowsWithoutACaseAreSkippedAndCounted) {
  ReliabilityMean mean;
  mean.add(std::nullopt, Penalty::n());
  EXPECT_EQ(mean.value().value(), std::nullopt);
  mean.add(I, Penalty::n());
  mean.add(IV, Penalty::n());
  EXPECT_EQ(mean.skipped(), 1);
  EXPECT_EQ(mean.value().value(), 100.0 * (1 - 2) / 2);
}

// The window identity: a frame that rows enter and leave gives what Eq. 1 gives row by row.
TEST(ReliabilityMean, MovingFramesEqualTheNaiveMean) {
  std::mt19937 random(7);
  for (const auto penalty : {Penalty::of(0), Penalty::of(10), Penalty::of(2.5), Penalty::n()}) {
    ReliabilityMean mean;
    std::deque<std::optional<ReliabilityCase>> frame;
    for (int step = 0; step < 4000; ++step) {
      if (frame.empty() || random() % 5 < 3) {
        const auto drawn = random() % 6;
        frame.push_back(drawn == 5 ? std::nullopt : std::optional(all_reliability_cases[drawn]));
        mean.add(frame.back(), penalty);
      } else {
        mean.remove(frame.front(), penalty);
        frame.pop_front();
      }
      std::int64_t n = 0;
      for (const auto& outcome : frame) n += outcome ? 1 : 0;
      double sum = 0;
      for (const auto& outcome : frame) sum += outcome ? phi(*outcome, penalty.value(n)) : 0;
      const auto value = mean.value().value();
      ASSERT_EQ(value.has_value(), n > 0);
      if (value) {
        ASSERT_EQ(*value, 100 * sum / static_cast<double>(n));
      }
    }
  }
}

}  // namespace
}  // namespace trustsql
