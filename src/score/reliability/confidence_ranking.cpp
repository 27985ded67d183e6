#include "score/reliability/confidence_ranking.hpp"

#include <algorithm>
#include <cmath>

namespace trustsql {

Result<ConfidenceRanking> ConfidenceRanking::create(std::span<const ConfidentCase> samples) {
  struct Answer {
    Number confidence;
    ReliabilityCase reliability_case;
  };
  ConfidenceRanking ranking;
  std::vector<Answer> answers;
  answers.reserve(samples.size());
  for (const auto& sample : samples) {
    ++ranking.all_[sample.reliability_case];
    if (!is_answered(sample.reliability_case)) continue;
    if (!sample.confidence || std::isnan(sample.confidence->real())) {
      return invalid_argument("an answer (case " + std::string(case_name(sample.reliability_case)) +
                              ") has no confidence, so it cannot be ranked; give it one or leave such rows out");
    }
    answers.push_back({*sample.confidence, sample.reliability_case});
  }
  std::sort(answers.begin(), answers.end(),
            [](const Answer& a, const Answer& b) { return a.confidence > b.confidence; });
  CaseCounts kept;
  for (std::size_t i = 0; i < answers.size(); ++i) {
    ++kept[answers[i].reliability_case];
    if (i + 1 == answers.size() || answers[i + 1].confidence != answers[i].confidence)
      ranking.steps_.push_back({answers[i].confidence, kept});
  }
  return ranking;
}

CaseCounts ConfidenceRanking::counts_keeping(const CaseCounts& kept) const {
  const auto right = kept[ReliabilityCase::I];
  const auto wrong = kept[ReliabilityCase::III];
  const auto infeasible = kept[ReliabilityCase::IV];
  return {{right, all_.feasible() - right - wrong, wrong, infeasible, all_.infeasible() - infeasible}};
}

}  // namespace trustsql
