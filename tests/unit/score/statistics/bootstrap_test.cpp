#include "score/statistics/bootstrap.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numeric>

#include "score/reliability/reliability.hpp"
#include "score/statistics/binomial.hpp"
#include "score/statistics/mcnemar.hpp"
#include "unit/test_run.hpp"

namespace trustsql {
namespace {

TEST(Random, FirstNumbersAreThoseOfTheReferenceGenerator) {
  // xoshiro256** on the state that splitmix64 makes of 0; computed with the authors' C code.
  Random random(0 ^ mix64(0));  // stream 0 undoes the difference
  EXPECT_EQ(random.next(), 0x99ec5f36cb75f2b4ULL);
  EXPECT_EQ(random.next(), 0xbf6e1f784956452aULL);
  EXPECT_EQ(random.next(), 0x1a5f849d4933e6e0ULL);
}

TEST(Random, BelowCoversItsRangeEvenly) {
  Random random(1);
  std::array<int, 7> seen{};
  for (int i = 0; i < 70000; ++i) ++seen[random.below(7)];
  for (const int count : seen) EXPECT_NEAR(count, 10000, 5 * std::sqrt(10000.0 * 6 / 7));
}

// A chi-squared test of the sampler against exact probabilities, on both sides of the switch between its two
// algorithms.
TEST(Random, BinomialHasItsDistribution) {
  struct Case {
    std::int64_t n;
    double p;
  };
  for (const auto& [n, p] :
       {Case{20, 0.3}, Case{45, 0.3}, Case{50, 0.85}, Case{1000, 0.02}, Case{100000, 0.4}, Case{3, 0.5}}) {
    Random random(42);
    constexpr int draws = 200000;
    constexpr int bins = 40;
    const double mean = static_cast<double>(n) * p;
    const double width = std::max(1.0, std::floor(std::sqrt(mean * (1 - p)) / 4));
    const auto bin_of = [&](std::int64_t k) {
      return std::clamp(static_cast<int>(std::floor((static_cast<double>(k) - std::floor(mean)) / width)) + bins / 2, 0,
                        bins - 1);
    };
    std::array<double, bins> observed{};
    for (int i = 0; i < draws; ++i) {
      const auto k = random.binomial(n, p);
      ASSERT_GE(k, 0);
      ASSERT_LE(k, n);
      ++observed[static_cast<std::size_t>(bin_of(k))];
    }
    double statistic = 0;
    int used = 0;
    double below = 0;
    for (int bin = 0; bin < bins; ++bin) {
      // P(X falls into this bin), its last k being the one before the next bin begins.
      const double end = std::floor(mean) + (bin - bins / 2 + 1) * width - 1;
      const double up_to = bin == bins - 1 ? 1 : binomial_cdf(static_cast<std::int64_t>(end), n, p);
      const double expected = (up_to - below) * draws;
      below = up_to;
      if (expected < 5) continue;
      ++used;
      statistic += std::pow(observed[static_cast<std::size_t>(bin)] - expected, 2) / expected;
    }
    EXPECT_LT(statistic, used + 4 * std::sqrt(2.0 * used)) << n << " " << p;
    EXPECT_GT(used, 2);
  }
}

TEST(Resampler, QuestionsAreDrawnMultinomially) {
  const std::array<std::int64_t, 4> cells = {60, 0, 30, 10};
  const auto resampler = Resampler::by_question(cells);
  std::array<double, 4> mean{};
  double covariance = 0;
  constexpr int draws = 20000;
  for (int i = 0; i < draws; ++i) {
    Random random(9, static_cast<std::uint64_t>(i));
    std::array<std::int64_t, 4> drawn{};
    resampler.draw(random, drawn);
    ASSERT_EQ(std::accumulate(drawn.begin(), drawn.end(), std::int64_t{0}), 100);
    ASSERT_EQ(drawn[1], 0);
    for (std::size_t c = 0; c < 4; ++c) mean[c] += static_cast<double>(drawn[c]) / draws;
    covariance += static_cast<double>((drawn[0] - 60) * (drawn[2] - 30)) / draws;
  }
  EXPECT_NEAR(mean[0], 60, 0.2);
  EXPECT_NEAR(mean[2], 30, 0.2);
  EXPECT_NEAR(covariance, -100 * 0.6 * 0.3, 1);
}

TEST(Resampler, ClustersAreDrawnWhole) {
  const auto resampler = Resampler::by_cluster({5, 1, 100, 20}, 2);  // two clusters of two cells
  bool drew_each_once = false;
  for (std::uint64_t i = 0; i < 50; ++i) {
    Random random(3, i);
    std::array<std::int64_t, 2> drawn{};
    resampler.draw(random, drawn);
    EXPECT_TRUE((drawn == std::array<std::int64_t, 2>{10, 2}) || (drawn == std::array<std::int64_t, 2>{105, 21}) ||
                (drawn == std::array<std::int64_t, 2>{200, 40}));
    drew_each_once = drew_each_once || drawn[0] == 105;
  }
  EXPECT_TRUE(drew_each_once);
}

TEST(Bootstrap, QuantilesAreInterpolated) {
  const std::vector<double> values = {1, 2, 4, 8};
  EXPECT_EQ(quantile(values, 0), 1);
  EXPECT_EQ(quantile(values, 1), 8);
  EXPECT_EQ(quantile(values, 0.5), 3);
  EXPECT_NEAR(quantile(values, 0.1), 1.3, 1e-15);
  std::vector<double> none;
  EXPECT_FALSE(percentile_interval(none, 0.95));
}

TEST(Bootstrap, AProportionsIntervalIsThatOfTheNormalApproximation) {
  const std::array<std::int64_t, 2> cells = {800, 200};
  const auto share = [](std::span<const std::int64_t> drawn) {
    return std::array<std::optional<double>, 1>{percent(drawn[0], drawn[0] + drawn[1])};
  };
  const auto interval = bootstrap<1>(Resampler::by_question(cells), {.replicates = 20000}, share, never_stop)[0];
  ASSERT_TRUE(interval);
  const double error = 100 * 1.96 * std::sqrt(0.8 * 0.2 / 1000);
  EXPECT_NEAR(interval->low, 80 - error, 0.15);
  EXPECT_NEAR(interval->high, 80 + error, 0.15);
  const auto few = [&](std::uint64_t seed) {
    return bootstrap<1>(Resampler::by_question(cells), {.replicates = 100, .seed = seed}, share, never_stop)[0];
  };
  EXPECT_EQ(few(1), few(1));
  EXPECT_NE(few(1), few(2));
  EXPECT_FALSE(bootstrap<1>(Resampler::by_question(cells), {.replicates = 0}, share, never_stop)[0]);
}

TEST(Bootstrap, UndefinedReplicatesAreLeftOut) {
  const std::array<std::int64_t, 2> cells = {1, 1};
  const auto statistics = [](std::span<const std::int64_t> drawn) {
    return std::array<std::optional<double>, 2>{
        drawn[0] > 0 ? std::optional(static_cast<double>(drawn[0])) : std::nullopt, std::nullopt};
  };
  const auto intervals = bootstrap<2>(Resampler::by_question(cells), {}, statistics, never_stop);
  EXPECT_EQ(intervals[0]->low, 1);
  EXPECT_EQ(intervals[0]->high, 2);
  EXPECT_FALSE(intervals[1]);
}

TEST(McNemar, HandMadeValues) {
  const auto test = mcnemar(1, 9);
  EXPECT_NEAR(test.exact, 2 * 11.0 / 1024, 1e-15);
  EXPECT_NEAR(test.mid_p, 2 * 11.0 / 1024 - 10.0 / 1024, 1e-15);
  EXPECT_NEAR(test.chi_squared, 4.9, 1e-12);
  EXPECT_EQ(mcnemar(9, 1).exact, test.exact);
  EXPECT_EQ(mcnemar(5, 5).exact, 1);
  EXPECT_NEAR(mcnemar(5, 5).mid_p, 1 - 252.0 / 1024 / 2, 1e-15);
  EXPECT_EQ(mcnemar(0, 0).exact, 1);
  EXPECT_EQ(mcnemar(0, 0).mid_p, 1);
  EXPECT_EQ(mcnemar(0, 0).chi_squared, 0);
  EXPECT_NEAR(mcnemar(0, 3).exact, 0.25, 1e-15);
}

}  // namespace
}  // namespace trustsql
