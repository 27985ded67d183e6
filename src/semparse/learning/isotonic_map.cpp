#include "semparse/learning/isotonic_map.hpp"

#include <algorithm>

#include "semparse/learning/linear_model.hpp"

namespace trustsql::semparse {

IsotonicMap IsotonicMap::learn(std::vector<Point> points, float min_weight) {
  IsotonicMap map;
  std::stable_sort(points.begin(), points.end(), [](const Point& a, const Point& b) { return a.score < b.score; });
  struct Block {
    double score = 0;  // weighted sum
    double right = 0;
    double weight = 0;
    double mean() const { return right / weight; }
    void add(const Block& other) {
      score += other.score;
      right += other.right;
      weight += other.weight;
    }
  };
  std::vector<Block> blocks;
  for (const auto& point : points) {
    const auto weight = static_cast<double>(point.weight);
    blocks.push_back({static_cast<double>(point.score) * weight, point.right ? weight : 0, weight});
    while (blocks.size() > 1 && blocks[blocks.size() - 2].mean() >= blocks.back().mean()) {
      blocks[blocks.size() - 2].add(blocks.back());
      blocks.pop_back();
    }
  }
  std::vector<Block> levels;
  for (const auto& block : blocks) {
    const bool joined = !levels.empty() && levels.back().weight < static_cast<double>(min_weight);
    if (joined)
      levels.back().add(block);
    else
      levels.push_back(block);
  }
  if (levels.size() > 1 && levels.back().weight < static_cast<double>(min_weight)) {
    levels[levels.size() - 2].add(levels.back());
    levels.pop_back();
  }
  for (const auto& block : levels) {
    const auto probability = static_cast<float>((block.right + 0.5) / (block.weight + 1));
    const auto score = static_cast<float>(block.score / block.weight);
    // Drawing in can turn the order of neighbours round.
    if (map.levels_.empty() || probability > map.levels_.back().second) map.levels_.emplace_back(score, probability);
  }
  return map;
}

float IsotonicMap::probability(float score) const {
  if (levels_.empty()) return logistic(score);
  if (score <= levels_.front().first) return levels_.front().second;
  for (std::size_t i = 1; i < levels_.size(); ++i) {
    if (score > levels_[i].first) continue;
    const auto& [low, low_p] = levels_[i - 1];
    const auto& [high, high_p] = levels_[i];
    return high > low ? low_p + (high_p - low_p) * (score - low) / (high - low) : low_p;
  }
  return levels_.back().second;
}

std::vector<float> IsotonicMap::to_numbers() const {
  std::vector<float> numbers;
  for (const auto& [score, probability] : levels_) {
    numbers.push_back(score);
    numbers.push_back(probability);
  }
  return numbers;
}

IsotonicMap IsotonicMap::from_numbers(const std::vector<float>& numbers) {
  IsotonicMap map;
  for (std::size_t i = 0; i + 1 < numbers.size(); i += 2) map.levels_.emplace_back(numbers[i], numbers[i + 1]);
  return map;
}

}  // namespace trustsql::semparse
