// The risk-coverage curve of a system with confidences, and the curve of Figure 2 of TrustSQL (Appendix C.2).
#pragma once

#include <optional>
#include <vector>

#include "score/reliability/confidence_ranking.hpp"

namespace trustsql {

// The performance of a system that answers only at this confidence and above.
struct CurvePoint {
  std::optional<Number> confidence;      // nullopt: nothing is answered
  std::int64_t answers = 0;              // number of answers given
  std::int64_t cumulative = 0;           // Figure 2: right answers minus wrong ones
  double coverage = 0;                   // percent of all samples that are answered
  std::optional<double> selective_risk;  // percent of the answers that are wrong (III, IV); nullopt: no answers
  double rs_0 = 0, rs_10 = 0, rs_n = 0;  // percent; N is the number of all samples
};

// The point at which nothing is answered, then one for each distinct confidence in descending order. Empty if there are
// no samples.
std::vector<CurvePoint> risk_curve(const ConfidenceRanking& ranking);

}  // namespace trustsql
