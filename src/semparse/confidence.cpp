#include "semparse/confidence.hpp"

#include <algorithm>

namespace trustsql::semparse {

namespace {

enum ConfidenceFeature : std::uint64_t {
  ranking_feature = 0x2000,
  probability_feature,
  rival_feature,
  skeleton_feature_of_standing,
  weakest_feature,
  outcome_feature,
};

float log_odds(float probability) {
  const float p = std::clamp(probability, 0.001F, 0.999F);
  return std::log(p / (1 - p));
}

std::uint64_t tenth(float probability) { return static_cast<std::uint64_t>(std::clamp(probability, 0.0F, 1.0F) * 10); }

}  // namespace

Outcome outcome_of(const ResultSet& result) {
  Outcome outcome{result.row_count()};
  for (std::size_t row = 0; row < result.row_count(); ++row) {
    std::uint64_t cells = 0;
    for (std::size_t column = 0; column < result.column_count(); ++column) {
      const auto cell = result.at(row, column);
      cells += mix64(hash(cell, 1));
      outcome.nulls &= cell.is_null();
    }
    outcome.fingerprint += mix64(cells);
  }
  outcome.fingerprint = mix64(outcome.fingerprint + result.column_count());
  return outcome;
}

Standing standing_of(std::span<const float> probabilities, std::span<const std::optional<Outcome>> outcomes) {
  Standing standing;
  if (probabilities.empty()) return standing;
  standing.probability = probabilities.front();
  if (!outcomes.empty()) standing.outcome = outcomes.front();
  for (std::size_t i = 1; i < probabilities.size(); ++i) {
    const bool same = standing.outcome && i < outcomes.size() && outcomes[i] &&
                      outcomes[i]->fingerprint == standing.outcome->fingerprint && standing.outcome->rows > 0;
    if (same)
      standing.probability += probabilities[i];
    else
      standing.rival = std::max(standing.rival, probabilities[i]);
  }
  return standing;
}

Features confidence_features(const Standing& standing, const Features& ranking) {
  Features features;
  features.reserve(ranking.size() + 12);
  for (const auto& feature : ranking) features.push_back({feature_key(ranking_feature, feature.key), feature.value});
  const auto add = [&features](auto... parts) { features.push_back({feature_key(parts...)}); };
  const auto value = [&features](float amount, auto... parts) { features.push_back({feature_key(parts...), amount}); };
  value(log_odds(standing.probability), probability_feature, 0);
  add(probability_feature, 1, tenth(standing.probability));
  value(standing.probability, probability_feature, 2);
  value(log_odds(standing.rival), rival_feature, 0);
  add(rival_feature, 1, tenth(standing.rival));
  value(standing.skeleton_score, skeleton_feature_of_standing, 0);
  value(std::max(standing.weakest_step, -5.0F), weakest_feature, 0);
  add(weakest_feature, 1, tenth(std::exp(standing.weakest_step)));
  add(skeleton_feature_of_standing, 1, tenth(std::exp(standing.skeleton_score)));
  const std::size_t rows = !standing.outcome ? 9 : std::min<std::size_t>(standing.outcome->rows, 3);
  add(outcome_feature, rows);
  add(outcome_feature, 16, rows, standing.outcome && standing.outcome->nulls);
  return features;
}

}  // namespace trustsql::semparse
