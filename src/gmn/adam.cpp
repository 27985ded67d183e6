#include "gmn/adam.hpp"

#include <cmath>

namespace trustsql::gmn {

void Adam::step(std::span<float> values, std::span<float> gradient, double rate, double clip) {
  constexpr double decay_first = 0.9;
  constexpr double decay_second = 0.999;
  constexpr float epsilon = 1e-8F;
  double length = 0;
  for (const float g : gradient) length += static_cast<double>(g) * static_cast<double>(g);
  length = std::sqrt(length);
  if (!std::isfinite(length)) return;  // a step that cannot be taken is left out
  const auto factor = static_cast<float>(length > clip ? clip / length : 1);
  ++steps_;
  const auto t = static_cast<double>(steps_);
  const double correction = std::sqrt(1 - std::pow(decay_second, t)) / (1 - std::pow(decay_first, t));
  const auto size = static_cast<float>(rate * correction);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const float g = gradient[i] * factor;
    first_[i] += static_cast<float>(1 - decay_first) * (g - first_[i]);
    second_[i] += static_cast<float>(1 - decay_second) * (g * g - second_[i]);
    values[i] -= size * first_[i] / (std::sqrt(second_[i]) + epsilon);
  }
}

}  // namespace trustsql::gmn
