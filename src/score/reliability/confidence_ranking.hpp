// Answers in descending order of confidence: the basis of thresholds, risk-coverage curves and TrustSQL's Figures 2 and
// 3.
//
// A threshold t keeps the answers whose confidence is >= t and turns the others into abstentions: a feasible question
// then counts as II, an infeasible one as V. Answers of equal confidence are kept or dropped together, since no
// threshold separates them. Samples that the source abstained from (II, V) stay as they are at every threshold.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "base/number.hpp"
#include "base/result.hpp"
#include "score/reliability/reliability.hpp"

namespace trustsql {

// A sample with the confidence of its answer (larger is more confident). MaxEnt, FeatMD and FeatRMD are uncertainties:
// negate them to get a confidence.
struct ConfidentCase {
  std::optional<Number> confidence;  // may be infinite, but not NaN
  ReliabilityCase reliability_case = ReliabilityCase::II;
};

class ConfidenceRanking {
 public:
  // All answers whose confidence is at least that of this step.
  struct Step {
    Number confidence = 0;
    CaseCounts kept;  // cases I, III and IV among these answers; II and V are 0
  };

  ConfidenceRanking() = default;

  // Ranks `samples` in O(n log n). Errors (invalid_argument): an answer (I, III, IV) that cannot be ranked because it
  // has no confidence, or because its confidence is NaN.
  static Result<ConfidenceRanking> create(std::span<const ConfidentCase> samples);

  // One step for each distinct confidence, in descending order.
  const std::vector<Step>& steps() const { return steps_; }
  // The counts of all samples as they come from the source.
  const CaseCounts& all() const { return all_; }
  // The number of answers (I, III, IV).
  std::int64_t answers() const { return all_.answered(); }

  // The counts of all samples if only the answers `kept` are given (Step::kept; {} for no answers) and the system
  // abstains from the others.
  CaseCounts counts_keeping(const CaseCounts& kept) const;

 private:
  std::vector<Step> steps_;
  CaseCounts all_;
};

}  // namespace trustsql
