#include "score/threshold.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "score/binomial.hpp"

namespace trustsql {

namespace {

// The confidence of the first step at which `score` is largest, if that exceeds `abstaining`, the score of no answer at
// all.
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

// The ranks that are tested: the number of all answers, and by a tenth less each time, down to the least number that
// could pass at all without a wrong answer, (1 - alpha)^k <= delta. Ten percent apart, the best rank is missed by that
// much at most, while delta is shared by few.
std::vector<std::int64_t> tested_ranks(std::int64_t answers, double alpha, double delta) {
  const double least = std::log(delta) / std::log1p(-alpha);
  std::vector<std::int64_t> ranks;
  for (std::int64_t k = answers; k >= 1 && static_cast<double>(k) >= least; k = std::min(k - 1, k - k / 10))
    ranks.push_back(k);
  return ranks;
}

// A threshold that drops `dropped` and keeps `kept`, the next confidence above it, also after it was printed with 15
// digits, as the sqlite3 shell does: the next double would print as `dropped`.
Number just_above(Number dropped, Number kept) {
  const double threshold = dropped.real() + (kept.real() - dropped.real()) / 1024;
  if (threshold > dropped && threshold < kept)
    return threshold;  // not so beside an infinity, or where the two are neighbours
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
  // N * RS, without the division, which could make different sums equal.
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
    // The first step that holds the answer behind the rank-th; what comes before that step is answered.
    const auto behind = std::partition_point(steps.begin(), steps.end(),
                                             [&](const auto& step) { return step.kept.answered() <= rank; });
    if (behind == steps.begin()) continue;  // all of these answers are equally confident as one that would have to go
    const CaseCounts& kept = std::prev(behind)->kept;
    if (binomial_cdf(kept.harmful(), kept.answered(), alpha) > level) continue;
    if (behind == steps.end()) return Number(-std::numeric_limits<double>::infinity());
    return just_above(behind->confidence, std::prev(behind)->confidence);
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
