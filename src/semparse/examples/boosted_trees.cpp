#include "semparse/examples/boosted_trees.hpp"

#include <algorithm>
#include <cmath>

#include "semparse/linear_model.hpp"

namespace trustsql::semparse {

namespace {

constexpr std::size_t max_thresholds = 24;

// Thresholds of each feature: quantiles of its values.
std::vector<std::vector<float>> thresholds_of(const std::vector<Outcome01>& outcomes) {
  std::vector<std::vector<float>> thresholds(outcomes.front().features.size());
  std::vector<float> values;
  for (std::size_t f = 0; f < thresholds.size(); ++f) {
    values.clear();
    for (const auto& outcome : outcomes) values.push_back(outcome.features[f]);
    std::sort(values.begin(), values.end());
    for (std::size_t b = 1; b < max_thresholds; ++b) {
      const float value = values[values.size() * b / max_thresholds];
      if (value < values.back() && (thresholds[f].empty() || thresholds[f].back() < value))
        thresholds[f].push_back(value);
    }
  }
  return thresholds;
}

struct LeafSums {
  double gradient = 0;
  double curvature = 0;
  double weight = 0;
  void add(const LeafSums& other) {
    gradient += other.gradient;
    curvature += other.curvature;
    weight += other.weight;
  }
};

double leaf_gain(const LeafSums& sums, double penalty) {
  return sums.gradient * sums.gradient / (sums.curvature + penalty);
}

}  // namespace

std::size_t BoostedTrees::leaf_of(const Tree& tree, const std::vector<float>& features) {
  std::size_t node = 0;
  for (int level = 0; level < depth; ++level) {
    const auto feature = tree.feature[node];
    const bool right = feature >= 0 && features[static_cast<std::size_t>(feature)] > tree.threshold[node];
    node = 2 * node + (right ? 2 : 1);
  }
  return node - 7;
}

float BoostedTrees::score(const std::vector<float>& features) const {
  float sum = base_;
  for (const auto& tree : trees_) sum += tree.leaf[leaf_of(tree, features)];
  return sum;
}

BoostedTrees BoostedTrees::learn(const std::vector<Outcome01>& outcomes, const BoostedTreesOptions& options) {
  BoostedTrees model;
  if (outcomes.empty()) return model;
  const auto thresholds = thresholds_of(outcomes);
  const auto count = outcomes.size();
  const auto features = thresholds.size();
  std::vector<std::uint8_t> bins(count * features);
  double right = 1;
  double total = 2;
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t f = 0; f < features; ++f) {
      const auto& list = thresholds[f];
      const auto bin = std::lower_bound(list.begin(), list.end(), outcomes[i].features[f]) - list.begin();
      bins[i * features + f] = static_cast<std::uint8_t>(bin);
    }
    right += outcomes[i].right ? static_cast<double>(outcomes[i].weight) : 0;
    total += static_cast<double>(outcomes[i].weight);
  }
  model.base_ = static_cast<float>(std::log(right / (total - right)));
  std::vector<float> scores(count, model.base_);
  std::vector<LeafSums> single(count);
  std::vector<std::size_t> node_of(count);
  for (int round = 0; round < options.rounds; ++round) {
    for (std::size_t i = 0; i < count; ++i) {
      const double p = static_cast<double>(logistic(scores[i]));
      const auto weight = static_cast<double>(outcomes[i].weight);
      single[i] = {weight * ((outcomes[i].right ? 1.0 : 0.0) - p), weight * p * (1 - p), weight};
      node_of[i] = 0;
    }
    Tree tree;
    tree.feature.fill(-1);
    for (int level = 0; level < depth; ++level) {
      const std::size_t first = (std::size_t{1} << level) - 1;
      const std::size_t nodes = std::size_t{1} << level;
      std::vector<LeafSums> histogram(nodes * features * max_thresholds);
      for (std::size_t i = 0; i < count; ++i)
        for (std::size_t f = 0; f < features; ++f)
          histogram[((node_of[i] - first) * features + f) * max_thresholds + bins[i * features + f]].add(single[i]);
      for (std::size_t n = 0; n < nodes; ++n) {
        double best = 1e-6;
        for (std::size_t f = 0; f < features; ++f) {
          const auto* row = &histogram[(n * features + f) * max_thresholds];
          LeafSums all;
          for (std::size_t b = 0; b <= thresholds[f].size(); ++b) all.add(row[b]);
          LeafSums left;
          for (std::size_t b = 0; b < thresholds[f].size(); ++b) {
            left.add(row[b]);
            const LeafSums other{all.gradient - left.gradient, all.curvature - left.curvature,
                                 all.weight - left.weight};
            if (left.weight < static_cast<double>(options.min_leaf) ||
                other.weight < static_cast<double>(options.min_leaf))
              continue;
            const auto penalty = static_cast<double>(options.penalty);
            const double gain = leaf_gain(left, penalty) + leaf_gain(other, penalty) - leaf_gain(all, penalty);
            if (gain <= best) continue;
            best = gain;
            tree.feature[first + n] = static_cast<std::int16_t>(f);
            tree.threshold[first + n] = thresholds[f][b];
          }
        }
      }
      for (std::size_t i = 0; i < count; ++i) {
        const auto feature = tree.feature[node_of[i]];
        const bool goes_right =
            feature >= 0 && outcomes[i].features[static_cast<std::size_t>(feature)] > tree.threshold[node_of[i]];
        node_of[i] = 2 * node_of[i] + (goes_right ? 2 : 1);
      }
    }
    std::array<LeafSums, 8> leaves{};
    for (std::size_t i = 0; i < count; ++i) leaves[node_of[i] - 7].add(single[i]);
    for (std::size_t leaf = 0; leaf < leaves.size(); ++leaf)
      tree.leaf[leaf] =
          options.rate *
          static_cast<float>(leaves[leaf].gradient / (leaves[leaf].curvature + static_cast<double>(options.penalty)));
    for (std::size_t i = 0; i < count; ++i) scores[i] += tree.leaf[node_of[i] - 7];
    model.trees_.push_back(tree);
  }
  return model;
}

std::vector<float> BoostedTrees::to_numbers() const {
  std::vector<float> numbers = {base_};
  for (const auto& tree : trees_) {
    for (std::size_t i = 0; i < tree.feature.size(); ++i) {
      numbers.push_back(tree.feature[i]);
      numbers.push_back(tree.threshold[i]);
    }
    numbers.insert(numbers.end(), tree.leaf.begin(), tree.leaf.end());
  }
  return numbers;
}

BoostedTrees BoostedTrees::from_numbers(const std::vector<float>& numbers) {
  BoostedTrees model;
  constexpr std::size_t size = 7 * 2 + 8;
  if (numbers.empty() || (numbers.size() - 1) % size != 0) return model;
  model.base_ = numbers.front();
  for (std::size_t at = 1; at < numbers.size(); at += size) {
    Tree tree;
    for (std::size_t i = 0; i < tree.feature.size(); ++i) {
      tree.feature[i] = static_cast<std::int16_t>(std::clamp(numbers[at + 2 * i], -1.0F, 1000.0F));
      tree.threshold[i] = numbers[at + 2 * i + 1];
    }
    for (std::size_t i = 0; i < tree.leaf.size(); ++i) tree.leaf[i] = numbers[at + 14 + i];
    model.trees_.push_back(tree);
  }
  return model;
}

IsotonicMap IsotonicMap::learn(std::vector<Point> points) {
  IsotonicMap map;
  std::stable_sort(points.begin(), points.end(), [](const Point& a, const Point& b) { return a.score < b.score; });
  struct Block {
    double score = 0;  // weighted sum
    double right = 0;
    double weight = 0;
    double mean() const { return right / weight; }
  };
  std::vector<Block> blocks;
  for (const auto& point : points) {
    const auto weight = static_cast<double>(point.weight);
    blocks.push_back({static_cast<double>(point.score) * weight, point.right ? weight : 0, weight});
    while (blocks.size() > 1 && blocks[blocks.size() - 2].mean() >= blocks.back().mean()) {
      auto& into = blocks[blocks.size() - 2];
      into.score += blocks.back().score;
      into.right += blocks.back().right;
      into.weight += blocks.back().weight;
      blocks.pop_back();
    }
  }
  for (const auto& block : blocks) {
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
