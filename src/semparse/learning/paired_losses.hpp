// PairedLosses: whether a model that was learned from few questions does better than the one that is there already.
//
// A difference that chance alone could make is no reason to change: what was learned must do better by more than the
// standard error of the difference (the one-standard-error rule of Breiman et al., Classification and Regression Trees,
// 1984).
#pragma once

#include <cmath>
#include <cstddef>

namespace trustsql::semparse {

class PairedLosses {
 public:
  // The losses of both models for the same question, which neither has seen.
  void add(double before, double after) {
    const double gain = before - after;
    ++count_;
    sum_ += gain;
    squares_ += gain * gain;
  }

  bool improves() const {
    if (count_ < 2) return false;
    const auto n = static_cast<double>(count_);
    const double variance = (squares_ - sum_ * sum_ / n) / (n - 1);
    return sum_ > 0 && sum_ / n > std::sqrt(std::fmax(variance, 0) / n);
  }

 private:
  std::size_t count_ = 0;
  double sum_ = 0;
  double squares_ = 0;
};

}  // namespace trustsql::semparse
