#include "base/ranking_metrics.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace trustsql {
namespace {

using Rows = std::vector<LabelledScore>;

std::optional<double> auc_of(Rows rows) { return roc_auc(rows); }
std::optional<double> aurc_of(Rows rows) { return aurc(rows); }

TEST(RocAuc, HandMadeValues) {
  EXPECT_EQ(auc_of({{0.9, true}, {0.8, false}, {0.7, true}, {0.1, false}}), 0.75);
  EXPECT_EQ(auc_of({{1, true}, {1, false}}), 0.5);
  EXPECT_EQ(auc_of({{-HUGE_VAL, false}, {HUGE_VAL, true}}), 1);
  EXPECT_EQ(auc_of({{1, true}, {2, true}}), std::nullopt);
  EXPECT_EQ(auc_of({}), std::nullopt);
}

TEST(RocAuc, EqualsTheCountOverAllPairs) {
  std::mt19937 random(5);
  for (int round = 0; round < 300; ++round) {
    Rows rows(2 + random() % 50);
    for (auto& row : rows) row = {static_cast<double>(random() % 12), random() % 3 == 0};
    double wins = 0;
    double pairs = 0;
    for (const auto& p : rows) {
      for (const auto& n : rows) {
        if (!p.positive || n.positive) continue;
        ++pairs;
        wins += p.score > n.score ? 1 : p.score == n.score ? 0.5 : 0;
      }
    }
    const auto actual = auc_of(rows);
    ASSERT_EQ(actual.has_value(), pairs > 0);
    if (actual) {
      ASSERT_DOUBLE_EQ(*actual, wins / pairs);
    }
  }
}

TEST(Aurc, HandMadeValues) {
  EXPECT_NEAR(*aurc_of({{3, true}, {2, false}, {1, true}}), (0 + 1.0 / 2 + 1.0 / 3) / 3, 1e-15);
  EXPECT_EQ(aurc_of({{3, true}, {2, true}}), 0);
  EXPECT_EQ(aurc_of({{3, false}}), 1);
  EXPECT_EQ(aurc_of({}), std::nullopt);
}

TEST(Aurc, TiesCountAsTheMeanOverTheirOrders) {
  // Rows that are equally confident: all their orders are enumerated.
  std::vector<bool> labels = {false, false, true, true, true};
  double sum = 0;
  double orders = 0;
  std::sort(labels.begin(), labels.end());
  do {
    double wrong = 1;  // one wrong row stands above the tie
    double risk = 1;
    for (std::size_t i = 0; i < labels.size(); ++i) {
      wrong += labels[i] ? 0 : 1;
      risk += wrong / static_cast<double>(i + 2);
    }
    sum += risk / 6;
    ++orders;
  } while (std::next_permutation(labels.begin(), labels.end()));
  Rows rows = {{9, false}};
  for (const bool label : labels) rows.push_back({1, label});
  EXPECT_NEAR(*aurc_of(rows), sum / orders, 1e-14);
}

}  // namespace
}  // namespace trustsql
