#include "semparse/learning/outcome_model.hpp"

#include <gtest/gtest.h>

#include <array>

#include "semparse/learning/paired_losses.hpp"

namespace trustsql::semparse {
namespace {

// An outcome that neither input foretells alone.
struct Interaction {
  Outcomes outcomes{};
  std::vector<std::uint64_t> groups{};
};

Interaction interaction(int count) {
  Interaction data;
  for (int i = 0; i < count; ++i) {
    const std::array<float, 2> inputs = {static_cast<float>(i % 7), static_cast<float>(i % 11)};
    data.outcomes.add(inputs, (inputs[0] > 3) != (inputs[1] > 5));
    data.groups.push_back(static_cast<std::uint64_t>(i));
  }
  return data;
}

constexpr std::array<float, 2> likely = {6, 1};
constexpr std::array<float, 2> unlikely = {6, 9};

TEST(OutcomeModel, LearnsAnInteraction) {
  const auto data = interaction(800);
  const auto learned = learn_outcomes(data.outcomes, data.groups);
  EXPECT_GT(learned.model.probability(likely), 0.95);
  EXPECT_LT(learned.model.probability(unlikely), 0.05);
  ASSERT_EQ(learned.held_out.size(), 800U);
  int right = 0;
  for (std::size_t i = 0; i < 800; ++i) right += (learned.held_out[i] > 0.5) == data.outcomes.right[i] ? 1 : 0;
  EXPECT_GT(right, 780);
}

TEST(OutcomeModel, TreesAreNumbersAndBack) {
  const auto data = interaction(300);
  const auto trees = learn_outcomes(data.outcomes, data.groups).model.trees;
  const auto copy = TreeEnsemble::from_numbers(trees.to_numbers());
  EXPECT_EQ(copy.score(likely), trees.score(likely));
  EXPECT_EQ(copy.score(unlikely), trees.score(unlikely));
  auto damaged = trees.to_numbers();
  damaged.pop_back();
  EXPECT_TRUE(TreeEnsemble::from_numbers(damaged).empty());
}

TEST(OutcomeModel, WithoutOutcomesAHalf) { EXPECT_EQ(learn_outcomes({}, {}).model.probability(likely), 0.5); }

TEST(OutcomeModel, KnownLogOddsAreAddedTo) {
  Outcomes outcomes;
  for (int i = 0; i < 400; ++i) {
    const std::array<float, 1> inputs = {static_cast<float>(i % 2)};
    outcomes.add(inputs, i % 4 != 0);  // of the even ones half are right, of the odd ones all
  }
  const BoostingOptions options{.trees = 200, .depth = 2, .rate = 0.2F, .input_share = 1, .row_share = 1};
  const std::array<float, 1> even = {0};
  EXPECT_NEAR(boost_outcomes(outcomes, options).score(even), 0, 0.1);
  outcomes.log_odds.assign(outcomes.size(), 3.0F);
  EXPECT_NEAR(boost_outcomes(outcomes, options).score(even), -3, 0.2);
}

TEST(IsotonicMap, NeverFalls) {
  std::vector<IsotonicMap::Point> points;
  for (int i = 0; i < 200; ++i) points.push_back({static_cast<float>(i), i % 10 < i / 20, 1});
  const auto map = IsotonicMap::learn(points);
  float before = 0;
  for (int i = -5; i < 210; ++i) {
    const float p = map.probability(static_cast<float>(i));
    EXPECT_GE(p, before);
    EXPECT_LT(p, 1);
    before = p;
  }
}

TEST(IsotonicMap, AFewOutcomesMakeNoLevelOfTheirOwn) {
  std::vector<IsotonicMap::Point> points;
  for (int i = 0; i < 100; ++i) points.push_back({static_cast<float>(i), i >= 95 || i % 2 == 0, 1});
  EXPECT_GT(IsotonicMap::learn(points).probability(99), 0.9F);
  EXPECT_LT(IsotonicMap::learn(points, 20).probability(99), 0.8F);
}

TEST(PairedLosses, AskForMoreThanChance) {
  PairedLosses even;
  PairedLosses noisy;
  PairedLosses sure;
  for (int i = 0; i < 100; ++i) {
    even.add(1, 1);
    noisy.add(1, i % 2 == 0 ? 0 : 1.99);  // a little better on average
    sure.add(1, i % 10 == 0 ? 1.2 : 0.9);
  }
  EXPECT_FALSE(PairedLosses().improves());
  EXPECT_FALSE(even.improves());
  EXPECT_FALSE(noisy.improves());
  EXPECT_TRUE(sure.improves());
}

}  // namespace
}  // namespace trustsql::semparse
