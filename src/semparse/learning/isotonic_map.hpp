// IsotonicMap: from scores to probabilities (isotonic regression by pooling adjacent violators; Zadrozny and Elkan
// 2002).
#pragma once

#include <utility>
#include <vector>

namespace trustsql::semparse {

// A map from scores to probabilities that never falls (isotonic regression), with a step for each level. Ends are drawn
// in a little, as if one more outcome of each kind had been seen.
class IsotonicMap {
 public:
  struct Point {
    float score;
    bool right;
    float weight;
  };
  // Levels with less weight than `min_weight` are joined with those above them, or below at the upper end.
  static IsotonicMap learn(std::vector<Point> points, float min_weight = 0);

  // Between two levels it is interpolated. Without levels: the logistic function.
  float probability(float score) const;

  std::vector<float> to_numbers() const;
  static IsotonicMap from_numbers(const std::vector<float>& numbers);

 private:
  std::vector<std::pair<float, float>> levels_{};  // score and probability, both rising
};

}  // namespace trustsql::semparse
