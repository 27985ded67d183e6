#include "score/statistics/correlation.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <tuple>

namespace trustsql {
namespace {

std::optional<double> pearson(const Pairs& pairs) {
  PearsonCorrelation correlation;
  for (const auto& [x, y] : pairs) correlation.add(x, y);
  return correlation.value();
}

std::optional<double> tau(Pairs pairs, KendallVariant variant) { return kendall_tau(pairs, variant); }

TEST(Correlation, HandMadeValues) {
  const Pairs pairs = {{1, 1}, {2, 3}, {3, 2}, {4, 4}};
  EXPECT_NEAR(*pearson(pairs), 0.8, 1e-15);
  EXPECT_NEAR(*spearman(pairs), 0.8, 1e-15);
  EXPECT_NEAR(*tau(pairs, KendallVariant::b), 4.0 / 6, 1e-15);  // 5 concordant, 1 discordant
  // Ties: x ties one pair, y another, both at once a third.
  const Pairs ties = {{1, 1}, {1, 2}, {2, 2}, {3, 3}, {3, 3}};
  // 10 pairs of rows: 7 concordant, 0 discordant, 1 tied in x alone, 1 in y alone, 1 in both.
  EXPECT_NEAR(*tau(ties, KendallVariant::a), 0.7, 1e-15);
  EXPECT_NEAR(*tau(ties, KendallVariant::b), 7 / std::sqrt(8.0 * 8.0), 1e-15);
  EXPECT_EQ(*tau(ties, KendallVariant::gamma), 1);
  EXPECT_NEAR(*spearman({{1, 10}, {2, 10}, {3, 20}}), std::sqrt(3.0) / 2, 1e-15);
}

// FuncEvalGMN's tables have tau-b: of two binary variables it is Spearman's rho, of a score without ties and balanced
// labels (2 AUC - 1) / sqrt(2). Their Appendix I prints the formula of gamma, which is neither.
TEST(Kendall, TauBIsThatOfFuncEvalGmn) {
  Pairs binary;
  for (const auto& [x, y, count] : {std::tuple{1, 1, 50}, {1, 0, 5}, {0, 1, 3}, {0, 0, 60}})
    for (int i = 0; i < count; ++i) binary.emplace_back(x, y);
  EXPECT_NEAR(*tau(binary, KendallVariant::b), *spearman(binary), 1e-12);
  EXPECT_GT(*tau(binary, KendallVariant::gamma), *spearman(binary) + 0.1);
  EXPECT_LT(*tau(binary, KendallVariant::a), *spearman(binary) - 0.1);

  Pairs scores;
  constexpr int n = 2000;
  double positives_before = 0, concordant = 0;
  for (int i = 0; i < n; ++i) {
    const int label = (i * 7919 % n) + i > n ? 1 : 0;
    scores.emplace_back(i, label);
    positives_before += label;
    concordant += label == 1 ? i + 1 - positives_before : 0;
  }
  const double share = positives_before / n;
  const double auc = concordant / (positives_before * (n - positives_before));
  EXPECT_NEAR(*tau(scores, KendallVariant::b), (2 * auc - 1) * std::sqrt(2 * share * (1 - share) * n / (n - 1)), 1e-9);
  EXPECT_NEAR(*tau(scores, KendallVariant::gamma), 2 * auc - 1, 1e-9);
}

TEST(Correlation, UndefinedWhereNothingVaries) {
  for (const auto& pairs : {Pairs{}, Pairs{{1, 1}}, Pairs{{1, 1}, {1, 2}, {1, 3}}, Pairs{{1, 7}, {2, 7}}}) {
    EXPECT_EQ(pearson(pairs), std::nullopt);
    EXPECT_EQ(spearman(pairs), std::nullopt);
    EXPECT_EQ(tau(pairs, KendallVariant::b), std::nullopt);
    EXPECT_EQ(tau(pairs, KendallVariant::gamma), std::nullopt);
  }
  EXPECT_EQ(tau({{1, 1}}, KendallVariant::a), std::nullopt);
  EXPECT_EQ(tau({{1, 7}, {2, 7}}, KendallVariant::a), 0);
}

TEST(Correlation, PearsonKeepsItsDigitsFarFromZero) {
  Pairs near;
  Pairs far;
  for (int i = 0; i < 1000; ++i) {
    const double x = i % 17;
    const double y = (i * 7) % 13;
    near.emplace_back(x, y);
    far.emplace_back(x + 1e9, y - 1e9);
  }
  EXPECT_NEAR(*pearson(far), *pearson(near), 1e-9);
  EXPECT_NEAR(*pearson({{1e9, 0}, {1e9 + 1, 1}, {1e9 + 2, 2}}), 1, 1e-12);
  EXPECT_NEAR(*pearson({{1e200, 1}, {-1e200, 2}}), -1, 1e-12);
}

// Scaled by any powers of two the values give the same r, bit for bit; and the order of large and tiny ones does not
// matter.
TEST(Correlation, PearsonDoesNotDependOnTheScale) {
  std::mt19937 random(5);
  Pairs pairs;
  for (int i = 0; i < 50; ++i)
    pairs.emplace_back(static_cast<double>(random() % 1000) - 500, static_cast<double>(random() % 1000));
  const auto expected = pearson(pairs);
  for (const int exponent : {-1000, -600, -300, 0, 300, 600, 1000}) {
    Pairs scaled;
    for (const auto& [x, y] : pairs)
      scaled.emplace_back(std::ldexp(x.real(), exponent), std::ldexp(y.real(), -exponent));
    EXPECT_EQ(pearson(scaled), expected) << exponent;
  }
  EXPECT_NEAR(*pearson({{0, 0}, {1e-300, 1}, {1e300, 2}}), *pearson({{1e300, 2}, {0, 0}, {1e-300, 1}}), 1e-12);
}

TEST(Correlation, IntegersAreNotRounded) {
  constexpr std::int64_t large = std::int64_t{1} << 53;
  const Pairs pairs = {{large, 1}, {large + 1, 2}, {large + 2, 3}, {static_cast<double>(large) + 4, 5}};
  EXPECT_NEAR(*pearson(pairs), 1, 1e-15);
  EXPECT_EQ(*spearman(pairs), 1);
  EXPECT_EQ(*tau(pairs, KendallVariant::b), 1);
  EXPECT_EQ(*tau({{INT64_MAX, 1}, {9223372036854775808.0, 2}, {INT64_MIN, 0}, {-9223372036854775808.0, 0}},
                 KendallVariant::a),
            5.0 / 6);
}

TEST(Correlation, InfinitiesAreRanked) {
  EXPECT_EQ(*spearman({{-HUGE_VAL, 1}, {0, 2}, {HUGE_VAL, 3}}), 1);
  EXPECT_EQ(*tau({{-HUGE_VAL, 1}, {0, 2}, {HUGE_VAL, 3}}, KendallVariant::b), 1);
}

TEST(Correlation, VariantNames) {
  EXPECT_EQ(parse_kendall_variant("gamma").value(), KendallVariant::gamma);
  EXPECT_EQ(parse_kendall_variant("c").error().message, "variant must be one of a, b, gamma, not 'c'");
}

// All pairs of rows, by definition.
std::optional<double> naive_tau(const Pairs& pairs, KendallVariant variant) {
  double difference = 0, all = 0, differ_x = 0, differ_y = 0, comparable = 0;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const int x = (pairs[i].first > pairs[j].first) - (pairs[i].first < pairs[j].first);
      const int y = (pairs[i].second > pairs[j].second) - (pairs[i].second < pairs[j].second);
      ++all;
      differ_x += x != 0;
      differ_y += y != 0;
      comparable += x * y != 0;
      difference += x * y;
    }
  }
  const double denominator = variant == KendallVariant::a   ? all
                             : variant == KendallVariant::b ? std::sqrt(differ_x * differ_y)
                                                            : comparable;
  if (denominator == 0) return std::nullopt;
  return difference / denominator;
}

TEST(Correlation, KendallEqualsTheCountOverAllPairs) {
  std::mt19937 random(11);
  for (int round = 0; round < 400; ++round) {
    Pairs pairs(random() % 60);
    const auto values = 1 + random() % 20;
    for (auto& pair : pairs) pair = {static_cast<double>(random() % values), static_cast<double>(random() % values)};
    for (const auto variant : {KendallVariant::a, KendallVariant::b, KendallVariant::gamma}) {
      const auto expected = naive_tau(pairs, variant);
      const auto actual = tau(pairs, variant);
      ASSERT_EQ(actual.has_value(), expected.has_value());
      if (actual) {
        ASSERT_NEAR(*actual, *expected, 1e-14);
      }
    }
  }
}

}  // namespace
}  // namespace trustsql
