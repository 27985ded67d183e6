#include "semparse/learning/tree_ensemble.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/random.hpp"
#include "semparse/learning/linear_model.hpp"

namespace trustsql::semparse {
namespace {

constexpr std::size_t width = 3;

struct Data {
  std::vector<float> rows{};
  std::vector<float> labels{};
};

// The label is whether exactly one of the first two inputs is positive: no linear model can tell. The third is noise.
Data exclusive_or(std::size_t count, std::uint64_t seed) {
  Data data;
  Random random(seed, 1);
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = 0; j < width; ++j)
      data.rows.push_back(static_cast<float>(random.below(2001)) / 1000.0F - 1.0F);
    const auto* row = &data.rows[i * width];
    data.labels.push_back((row[0] > 0) != (row[1] > 0) ? 1.0F : 0.0F);
  }
  return data;
}

TreeEnsemble learn(const Data& data) {
  const auto loss = [&data](std::span<const float> scores, std::span<float> first, std::span<float> second) {
    for (std::size_t i = 0; i < scores.size(); ++i) {
      const float p = logistic(scores[i]);
      first[i] = p - data.labels[i];
      second[i] = p * (1 - p);
    }
  };
  BoostingOptions options;
  options.trees = 60;
  options.input_share = 1;
  return boost(data.rows, width, loss, options);
}

TEST(TreeEnsembles, LearnWhatDependsOnTwoInputs) {
  const auto trees = learn(exclusive_or(4000, 1));
  const auto unseen = exclusive_or(1000, 2);
  int right = 0;
  for (std::size_t i = 0; i < unseen.labels.size(); ++i) {
    const auto row = std::span(unseen.rows).subspan(i * width, width);
    right += (trees.score(row) > 0) == (unseen.labels[i] > 0.5F) ? 1 : 0;
  }
  EXPECT_GT(right, 950);
  EXPECT_LE(trees.input_count(), width);
}

TEST(TreeEnsembles, AreReproducible) {
  const auto data = exclusive_or(500, 3);
  const auto a = learn(data);
  const auto b = learn(data);
  for (std::size_t i = 0; i < data.labels.size(); ++i) {
    const auto row = std::span(data.rows).subspan(i * width, width);
    EXPECT_EQ(a.score(row), b.score(row));
  }
}

TEST(TreeEnsembles, NoRowsAreLearnedFrom) {
  const auto trees = learn({});
  const float row[width] = {1, 2, 3};
  EXPECT_TRUE(std::isfinite(trees.score(row)));
}

TEST(TreeEnsembles, AConstantInputIsNotSplit) {
  Data data;
  for (int i = 0; i < 100; ++i) {
    data.rows.insert(data.rows.end(), {1, 1, 1});
    data.labels.push_back(i % 2 == 0 ? 1.0F : 0.0F);
  }
  EXPECT_EQ(learn(data).input_count(), 0U);
}

// In each list the option with the largest first input is right; the second input is noise.
Choices largest_is_right(std::size_t lists, std::uint64_t seed) {
  Choices choices;
  Random random(seed, 4);
  for (std::size_t i = 0; i < lists; ++i) {
    std::vector<std::array<float, 2>> rows;
    for (int option = 0; option < 4; ++option)
      rows.push_back({static_cast<float>(random.below(1000)) / 1000.0F, static_cast<float>(random.below(1000))});
    const auto best = std::max_element(rows.begin(), rows.end());
    for (auto row = rows.begin(); row != rows.end(); ++row) choices.add(*row, row == best);
    choices.end_list();
  }
  return choices;
}

TEST(TreeEnsembles, LearnToChoose) {
  const auto trees = boost_choices(largest_is_right(1000, 5), {.trees = 80, .depth = 3, .input_share = 1});
  const auto unseen = largest_is_right(200, 6);
  int right = 0;
  for (std::size_t i = 0; i < unseen.right.size(); i += 4) {
    std::size_t best = i;
    const auto score = [&](std::size_t row) { return trees.score(std::span(unseen.inputs).subspan(row * 2, 2)); };
    for (std::size_t row = i + 1; row < i + 4; ++row)
      if (score(row) > score(best)) best = row;
    right += unseen.right[best] ? 1 : 0;
  }
  EXPECT_GT(right, 170);
}

TEST(TreeEnsembles, ListsThatTeachNothingAreForgotten) {
  Choices choices;
  const std::array<float, 1> row = {1};
  choices.add(row, false);
  choices.add(row, false);
  choices.end_list();
  choices.add(row, true);
  choices.end_list();
  EXPECT_TRUE(choices.ends.empty());
  EXPECT_TRUE(choices.right.empty());
  EXPECT_TRUE(choices.inputs.empty());
  choices.add(row, true);
  choices.add(row, false);
  choices.end_list(2);
  EXPECT_EQ(choices.ends, std::vector<std::size_t>{2});
  EXPECT_EQ(choices.weights, std::vector<float>{2});
}

}  // namespace
}  // namespace trustsql::semparse
