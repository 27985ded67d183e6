#include "semparse/learning/linear_model.hpp"

#include <algorithm>

namespace trustsql::semparse {

void log_softmax(std::span<float> scores) {
  if (scores.empty()) return;
  const float highest = *std::max_element(scores.begin(), scores.end());
  float sum = 0;
  for (const float score : scores) sum += std::exp(score - highest);
  const float log_sum = highest + std::log(sum);
  for (float& score : scores) score -= log_sum;
}

}  // namespace trustsql::semparse
