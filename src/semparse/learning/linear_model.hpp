// LinearModel: weights of hashed features, and how they are learned.
//
// A feature is a 64-bit key, made by feature_key() from what it says; keys share a fixed number of weights (the hashing
// trick, Weinberger et al. 2009). All decisions of the parser share one model: the keys say for which decision they
// are.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "base/value.hpp"

namespace trustsql::semparse {

struct Feature {
  std::uint64_t key = 0;
  float value = 1;
};
using Features = std::vector<Feature>;

// The key of a feature that consists of several parts: numbers, or the keys of other features.
template <class... Parts>
constexpr std::uint64_t feature_key(Parts... parts) {
  std::uint64_t key = 0x51ed270b;
  ((key = mix64(key ^ static_cast<std::uint64_t>(parts))), ...);
  return key;
}

class LinearModel {
 public:
  static constexpr std::size_t default_size = std::size_t{1} << 22;
  static constexpr std::size_t small_size = std::size_t{1} << 18;

  // All weights are 0. Precondition: `size` is a power of two.
  explicit LinearModel(std::size_t size = default_size) : size_(size), weights_(size, 0.0F) {}

  // Weights as a file has them: levels from -max_level to max_level, the last of which stands for `largest`. They take
  // a quarter of the memory, and cannot be learned further. Precondition: the number of levels is a power of two.
  static constexpr int max_level = 127;
  LinearModel(std::vector<std::int8_t> levels, float largest) : size_(levels.size()), levels_(std::move(levels)) {
    for (int level = -128; level <= max_level; ++level)
      weight_of_level_[static_cast<std::uint8_t>(level)] = static_cast<float>(level) / max_level * largest;
  }

  std::size_t size() const { return size_; }
  std::size_t index(std::uint64_t key) const { return key & (size_ - 1); }
  float at(std::size_t i) const {
    return levels_.empty() ? weights_[i] : weight_of_level_[static_cast<std::uint8_t>(levels_[i])];
  }
  float weight(std::uint64_t key) const { return at(index(key)); }

  float score(std::span<const Feature> features) const {
    float sum = 0;
    for (const auto& feature : features) sum += weight(feature.key) * feature.value;
    return sum;
  }

  // Precondition: the weights are no levels.
  std::vector<float>& weights() { return weights_; }
  const std::vector<float>& weights() const { return weights_; }

 private:
  std::size_t size_;
  std::vector<float> weights_{};  // empty if there are levels
  std::vector<std::int8_t> levels_{};
  std::array<float, 256> weight_of_level_{};
};

// How many groups of examples (databases) have each feature. A feature of one database alone says something about its
// content, not about how people ask.
class FeatureCounts {
 public:
  explicit FeatureCounts(const LinearModel& model) : model_(model), last_(model.size(), 0), counts_(model.size(), 0) {}

  // Precondition: the groups come one after the other, numbered from 1.
  void count(std::uint64_t key, std::uint16_t group) {
    const auto i = model_.index(key);
    if (last_[i] == group) return;
    last_[i] = group;
    if (counts_[i] < 255) ++counts_[i];
  }
  bool has(std::uint64_t key, std::uint8_t groups) const { return counts_[model_.index(key)] >= groups; }

 private:
  const LinearModel& model_;
  std::vector<std::uint16_t> last_;
  std::vector<std::uint8_t> counts_;
};

// Learns by stochastic gradient descent with a step size for each weight (AdaGrad, Duchi et al. 2011). With `counts`,
// features of fewer than `min_groups` groups are not learned.
class Learner {
 public:
  explicit Learner(LinearModel& model, float rate = 0.1F, const FeatureCounts* counts = nullptr,
                   std::uint8_t min_groups = 0)
      : model_(model), squares_(model.size(), 0.0F), rate_(rate), counts_(counts), min_groups_(min_groups) {}

  // Moves the weights of `features` by the gradient of the log-likelihood with respect to their score.
  void update(std::span<const Feature> features, float gradient) {
    for (const auto& feature : features) update(feature.key, gradient * feature.value);
  }
  void update(std::uint64_t key, float gradient) {
    if (counts_ != nullptr && !counts_->has(key, min_groups_)) return;
    const auto i = model_.index(key);
    squares_[i] += gradient * gradient;
    model_.weights()[i] += rate_ * gradient / (std::sqrt(squares_[i]) + 1e-3F);
  }

 private:
  LinearModel& model_;
  std::vector<float> squares_;
  float rate_;
  const FeatureCounts* counts_;
  std::uint8_t min_groups_;
};

inline float logistic(float x) { return 1.0F / (1.0F + std::exp(-x)); }

// Turns scores into log-probabilities.
void log_softmax(std::span<float> scores);

}  // namespace trustsql::semparse
