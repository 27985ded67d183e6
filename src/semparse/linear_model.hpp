// LinearModel: weights of hashed features, and how they are learned.
//
// A feature is a 64-bit key, made by feature_key() from what it says; keys share a fixed number of weights (the hashing
// trick, Weinberger et al. 2009). All decisions of the parser share one model: the keys say for which decision they
// are.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
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
  static constexpr std::size_t default_size = std::size_t{1} << 23;

  // Precondition: `size` is a power of two.
  explicit LinearModel(std::size_t size = default_size) : weights_(size, 0.0F) {}

  std::size_t index(std::uint64_t key) const { return key & (weights_.size() - 1); }
  float weight(std::uint64_t key) const { return weights_[index(key)]; }

  float score(std::span<const Feature> features) const {
    float sum = 0;
    for (const auto& feature : features) sum += weight(feature.key) * feature.value;
    return sum;
  }

  std::vector<float>& weights() { return weights_; }
  const std::vector<float>& weights() const { return weights_; }

 private:
  std::vector<float> weights_;
};

// Learns by stochastic gradient descent with a step size for each weight (AdaGrad, Duchi et al. 2011).
class Learner {
 public:
  explicit Learner(LinearModel& model, float rate = 0.1F) : model_(model), squares_(model.weights().size(), 0.0F), rate_(rate) {}

  // Moves the weights of `features` by the gradient of the log-likelihood with respect to their score.
  void update(std::span<const Feature> features, float gradient) {
    for (const auto& feature : features) update(feature.key, gradient * feature.value);
  }
  void update(std::uint64_t key, float gradient) {
    const auto i = model_.index(key);
    squares_[i] += gradient * gradient;
    model_.weights()[i] += rate_ * gradient / (std::sqrt(squares_[i]) + 1e-3F);
  }

 private:
  LinearModel& model_;
  std::vector<float> squares_;
  float rate_;
};

inline float logistic(float x) { return 1.0F / (1.0F + std::exp(-x)); }

// Turns scores into log-probabilities.
void log_softmax(std::span<float> scores);

}  // namespace trustsql::semparse
