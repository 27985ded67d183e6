// Adam (Kingma and Ba 2015), with the gradient clipped to a length.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace trustsql::gmn {

class Adam {
 public:
  explicit Adam(std::size_t parameters) : first_(parameters, 0.0F), second_(parameters, 0.0F) {}

  // One step. `gradient` is scaled down to the length `clip` if it is longer.
  void step(std::span<float> values, std::span<float> gradient, double rate, double clip);

  // For checkpoints.
  std::vector<float>& first_moments() { return first_; }
  std::vector<float>& second_moments() { return second_; }
  const std::vector<float>& first_moments() const { return first_; }
  const std::vector<float>& second_moments() const { return second_; }
  std::int64_t steps() const { return steps_; }
  void set_steps(std::int64_t steps) { steps_ = steps; }

 private:
  std::vector<float> first_;
  std::vector<float> second_;
  std::int64_t steps_ = 0;
};

}  // namespace trustsql::gmn
