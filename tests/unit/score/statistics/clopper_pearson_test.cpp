#include "score/statistics/clopper_pearson.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "score/statistics/binomial.hpp"

namespace trustsql {
namespace {

// Limits have closed forms where all draws agree.
TEST(ClopperPearson, AllOrNone) {
  EXPECT_NEAR(clopper_pearson(14, 14, 0.95).low, 100 * std::pow(0.025, 1 / 14.0), 1e-10);
  EXPECT_EQ(clopper_pearson(14, 14, 0.95).high, 100);
  EXPECT_EQ(clopper_pearson(0, 14, 0.95).low, 0);
  EXPECT_NEAR(clopper_pearson(0, 14, 0.95).high, 100 * (1 - std::pow(0.025, 1 / 14.0)), 1e-10);
  EXPECT_EQ(clopper_pearson(0, 0, 0.95), (Interval{0, 100}));
}

// By its definition: at the limits, as many successes or more (or fewer) have the probability (1 - level) / 2.
TEST(ClopperPearson, LimitsHaveTheirTails) {
  for (const auto& [k, n] : {std::pair(1, 1000), std::pair(7, 20), std::pair(499, 500), std::pair(3000, 9000)}) {
    for (const double level : {0.5, 0.95, 0.999}) {
      const auto interval = clopper_pearson(k, n, level);
      EXPECT_NEAR(1 - binomial_cdf(k - 1, n, interval.low / 100), (1 - level) / 2, 1e-9) << k << " of " << n;
      EXPECT_NEAR(binomial_cdf(k, n, interval.high / 100), (1 - level) / 2, 1e-9) << k << " of " << n;
    }
  }
}

}  // namespace
}  // namespace trustsql
