#include "gmn/pair_score.hpp"

#include <algorithm>
#include <cmath>

namespace trustsql::gmn {

double pair_score(const equiv::ComparisonResult& comparison, double distance) {
  constexpr double least = 0.01;  // so that pairs that differ outright are ordered as well
  constexpr double most = 0.99;
  constexpr double largest_distance = 4;
  constexpr double network_weight = 0.5;
  if (comparison.verdict == equiv::Verdict::proved) return comparison.score;
  const double grade = std::clamp(comparison.score, least, most);
  const double log_odds = std::log(grade / (1 - grade)) + network_weight * (1 - std::min(distance, largest_distance));
  const double score = 1 / (1 + std::exp(-log_odds));
  return std::round(score * 1e6) / 1e6;
}

}  // namespace trustsql::gmn
