#include "score/reliability/threshold.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "score/statistics/binomial.hpp"

namespace trustsql {

namespace {

// The confidence of the first step with the largest `score`, if that score exceeds `abstaining`, the score of giving no
// answers.
template <class Score>
std::optional<Number> argmax(const ConfidenceRanking& ranking, double abstaining, Score score) {
  std::optional<Number> threshold;
  double best = abstaining;
  for (const auto& step : ranking.steps()) {
    if (const double value = score(step); value > best) {
      best = value;
      threshold = step.confidence;
    }
  }
  return threshold;
}

// The ranks to test: the number of all answers, then a tenth less each time, down to the smallest k that could pass
// with no wrong answer, (1 - alpha)^k <= delta. With this spacing the best rank is missed by at most ten percent, while
// delta is divided among few ranks.
std::vector<std::int64_t> tested_ranks(std::int64_t answers, double alpha, double delta) {
  const double least = std::log(delta) / std::log1p(-alpha);
  std::vector<std::int64_t> ranks;
  for (std::int64_t k = answers; k >= 1 && static_cast<double>(k) >= least; k = std::min(k - 1, k - k / 10))
    ranks.push_back(k);
  return ranks;
}

// A threshold that drops `dropped` and keeps `kept`, the next confidence above it, even after the threshold is printed
// with 15 digits, as in the sqlite3 shell. (The next double above `dropped` would print as `dropped`.)
Number just_above(Number dropped, Number kept) {
  const double threshold = dropped.real() + (kept.real() - dropped.real()) / 1024;
  // Fails if one of them is infinite, or if they are adjacent doubles.
  if (threshold > dropped && threshold < kept) return threshold;
  const double next = std::nextafter(dropped.real(), kept.real());
  return next > dropped && next <= kept ? Number(next) : kept;  // between two large integers there may be no double
}

}  // namespace

std::optional<Number> heuristic_threshold(const ConfidenceRanking& ranking) {
  return argmax(ranking, 0, [](const auto& step) {
    return static_cast<double>(step.kept[ReliabilityCase::I] - step.kept.harmful());
  });
}

std::optional<Number> rs_threshold(const ConfidenceRanking& ranking, Penalty c) {
  const double penalty = c.value(ranking.all().total());
  // N * RS: dividing by N could make different sums equal.
  const auto sum = [&](const CaseCounts& kept) {
    const CaseCounts counts = ranking.counts_keeping(kept);
    return static_cast<double>(counts.useful()) - penalty * static_cast<double>(counts.harmful());
  };
  return argmax(ranking, sum({}), [&](const auto& step) { return sum(step.kept); });
}

std::optional<Number> selective_risk_threshold(const ConfidenceRanking& ranking, double alpha, double delta) {
  const auto& steps = ranking.steps();
  const auto ranks = tested_ranks(ranking.answers(), alpha, delta);
  const double level = delta / static_cast<double>(ranks.size());
  for (const std::int64_t rank : ranks) {
    // The first step that includes the answer after the rank-th one; the steps before it are answered.
    const auto next_step = std::partition_point(steps.begin(), steps.end(),
                                                [&](const auto& step) { return step.kept.answered() <= rank; });
    if (next_step == steps.begin()) continue;  // all these answers have the same confidence as one to be dropped
    const CaseCounts& kept = std::prev(next_step)->kept;
    if (binomial_cdf(kept.harmful(), kept.answered(), alpha) > level) continue;
    if (next_step == steps.end()) return Number(-std::numeric_limits<double>::infinity());
    return just_above(next_step->confidence, std::prev(next_step)->confidence);
  }
  return std::nullopt;
}

std::optional<Number> choose_threshold(const ConfidenceRanking& ranking, const ThresholdOptions& options) {
  switch (options.method) {
    case ThresholdMethod::heuristic: return heuristic_threshold(ranking);
    case ThresholdMethod::rs: return rs_threshold(ranking, options.c);
    case ThresholdMethod::selective_risk: return selective_risk_threshold(ranking, options.alpha, options.delta);
  }
  return std::nullopt;
}

}  // namespace trustsql
