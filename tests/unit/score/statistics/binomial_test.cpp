#include "score/statistics/binomial.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace trustsql {
namespace {

// Sums of exact rational terms, rounded once.
TEST(Binomial, TailsEqualExactSums) {
  struct Case {
    std::int64_t k, n;
    double p, expected;
  };
  const Case cases[] = {
      {0, 10, 0.5, 0.0009765625},
      {3, 10, 0.5, 0.171875},
      {2, 100, 0.05, 0.11826298118512091},
      {9, 100, 0.05, 0.9718117058365838},
      {5, 1000, 0.05, 1.9449795094223926e-16},
      {500, 1000, 0.5, 0.5126125090891804},
      {480, 1000, 0.5, 0.10872414660207047},
      {1, 59, 0.05, 0.19908278786605327},
      {900, 1000, 0.875, 0.9938594972063387},
      {1, 400, 0.25, 1.4213111011319693e-48},
  };
  for (const auto& c : cases)
    EXPECT_NEAR(binomial_cdf(c.k, c.n, c.p) / c.expected, 1, 1e-12) << c.k << " of " << c.n << " at " << c.p;
}

TEST(Binomial, EdgesOfTheRange) {
  EXPECT_EQ(binomial_cdf(-1, 10, 0.5), 0);
  EXPECT_EQ(binomial_cdf(10, 10, 0.5), 1);
  EXPECT_EQ(binomial_cdf(0, 0, 0.5), 1);
  EXPECT_EQ(binomial_cdf(3, 10, 0), 1);
  EXPECT_EQ(binomial_cdf(3, 10, 1), 0);
}

TEST(Binomial, TailsOfManyTrialsAddUp) {
  // P(X <= k) + P(n - X <= n - k - 1) = 1, and the median of a symmetric one is in the middle.
  for (const std::int64_t n : {1'000'000LL, 1'000'001LL}) {
    for (const std::int64_t k : {499'000LL, 499'900LL, 500'000LL, 500'700LL})
      EXPECT_NEAR(binomial_cdf(k, n, 0.5) + binomial_cdf(n - k - 1, n, 0.5), 1, 1e-12);
  }
  EXPECT_NEAR(binomial_cdf(500'000, 1'000'001, 0.5), 0.5, 1e-12);
}

}  // namespace
}  // namespace trustsql
