#include "score/reliability/risk_curve.hpp"

namespace trustsql {

namespace {

CurvePoint point(const ConfidenceRanking& ranking, std::optional<Number> confidence, const CaseCounts& kept) {
  const CaseCounts counts = ranking.counts_keeping(kept);
  CurvePoint p;
  p.confidence = confidence;
  p.answers = kept.answered();
  p.cumulative = kept[ReliabilityCase::I] - kept.harmful();
  p.coverage = *coverage(counts);
  p.selective_risk = percent(kept.harmful(), kept.answered());
  p.rs_0 = *reliability_score(counts, Penalty::of(0));
  p.rs_10 = *reliability_score(counts, Penalty::of(10));
  p.rs_n = *reliability_score(counts, Penalty::n());
  return p;
}

}  // namespace

std::vector<CurvePoint> risk_curve(const ConfidenceRanking& ranking) {
  std::vector<CurvePoint> curve;
  if (ranking.all().total() == 0) return curve;
  curve.reserve(ranking.steps().size() + 1);
  curve.push_back(point(ranking, std::nullopt, {}));
  for (const auto& step : ranking.steps()) curve.push_back(point(ranking, step.confidence, step.kept));
  return curve;
}

}  // namespace trustsql
