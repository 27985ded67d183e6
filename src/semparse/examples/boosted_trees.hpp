// BoostedTrees: gradient boosting of small trees for a yes-or-no outcome (Friedman 2001): from a few numbers to a
// probability.
//
// Used for confidences: few features, thousands of outcomes at most, and effects that depend on each other. Learning is
// deterministic.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace trustsql::semparse {

struct Outcome01 {
  std::vector<float> features{};
  bool right = false;
  float weight = 1;
};

struct BoostedTreesOptions {
  int rounds = 120;
  float rate = 0.08F;
  float min_leaf = 12;  // weight of the outcomes in a leaf
  float penalty = 2;    // on the squares of leaves
};

class BoostedTrees {
 public:
  static constexpr int depth = 3;

  // All outcomes have the same number of features. With no outcomes every probability is a half.
  static BoostedTrees learn(const std::vector<Outcome01>& outcomes, const BoostedTreesOptions& options = {});

  float score(const std::vector<float>& features) const;  // the logarithm of the odds
  bool empty() const { return trees_.empty(); }

  // As numbers, and back; from_numbers() gives no trees if they make none.
  std::vector<float> to_numbers() const;
  static BoostedTrees from_numbers(const std::vector<float>& numbers);

 private:
  struct Tree {
    std::array<std::int16_t, 7> feature{};  // of the inner nodes, in the order of a heap; -1: all go left
    std::array<float, 7> threshold{};       // a smaller or equal value goes left
    std::array<float, 8> leaf{};
  };
  static std::size_t leaf_of(const Tree& tree, const std::vector<float>& features);

  float base_ = 0;
  std::vector<Tree> trees_{};
};

// A map from scores to probabilities that never falls (isotonic regression), with a step for each level. Ends are drawn
// in a little, as if one more outcome of each kind had been seen.
class IsotonicMap {
 public:
  struct Point {
    float score;
    bool right;
    float weight;
  };
  static IsotonicMap learn(std::vector<Point> points);

  // Between two levels it is interpolated. Without levels: the logistic function.
  float probability(float score) const;

  std::vector<float> to_numbers() const;
  static IsotonicMap from_numbers(const std::vector<float>& numbers);

 private:
  std::vector<std::pair<float, float>> levels_{};  // score and probability, both rising
};

}  // namespace trustsql::semparse
