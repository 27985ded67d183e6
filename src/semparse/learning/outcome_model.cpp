#include "semparse/learning/outcome_model.hpp"

#include <algorithm>
#include <cmath>

#include "semparse/learning/linear_model.hpp"
#include "semparse/learning/paired_losses.hpp"

namespace trustsql::semparse {

namespace {

// Trees; where no log-odds are known, after a constant: those of all outcomes, as if one more of each kind had been
// seen.
TreeEnsemble trees_for(Outcomes outcomes, const BoostingOptions& options) {
  TreeEnsemble trees;
  if (outcomes.size() == 0) return trees;
  if (!outcomes.log_odds.empty()) return boost_outcomes(outcomes, options);
  double right = 1;
  double all = 2;
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    const auto weight = static_cast<double>(outcomes.weights[i]);
    all += weight;
    if (outcomes.right[i]) right += weight;
  }
  const auto prior = static_cast<float>(std::log(right / (all - right)));
  trees.append_constant(prior);
  outcomes.log_odds.assign(outcomes.size(), prior);
  trees.append(boost_outcomes(outcomes, options));
  return trees;
}

double logistic_loss(const Outcomes& outcomes, std::size_t i, float score) {
  const auto p = static_cast<double>(logistic(outcomes.right[i] ? score : -score));
  return -static_cast<double>(outcomes.weights[i]) * std::log(std::max(p, 1e-6));
}

// Whether the second scores foretell the outcomes better than the first.
bool improves(const Outcomes& outcomes, const std::vector<float>& before, const std::vector<float>& after) {
  PairedLosses losses;
  for (std::size_t i = 0; i < outcomes.size(); ++i)
    losses.add(logistic_loss(outcomes, i, before[i]), logistic_loss(outcomes, i, after[i]));
  return losses.improves();
}

float log_odds_of(float probability) {
  const float p = std::clamp(probability, 1e-4F, 1 - 1e-4F);
  return std::log(p / (1 - p));
}

}  // namespace

LearnedOutcomes learn_outcomes(const Outcomes& outcomes, const std::vector<std::uint64_t>& groups,
                               const OutcomeOptions& options) {
  LearnedOutcomes learned;
  std::vector<float> scores(outcomes.size(), 0.0F);
  for (std::size_t fold = 0; fold < options.folds; ++fold) {
    Outcomes others;
    for (std::size_t i = 0; i < outcomes.size(); ++i)
      if (groups[i] % options.folds != fold) others.add(outcomes, i);
    const auto trees = trees_for(std::move(others), options.boosting);
    for (std::size_t i = 0; i < outcomes.size(); ++i)
      if (groups[i] % options.folds == fold) scores[i] = outcomes.known(i) + trees.score(outcomes.inputs_of(i));
  }
  const bool grows = outcomes.log_odds.empty() || improves(outcomes, outcomes.log_odds, scores);
  if (!grows) scores = outcomes.log_odds;
  learned.model.trees = grows ? trees_for(outcomes, options.boosting) : TreeEnsemble();
  const auto map_without = [&](std::size_t fold) {
    std::vector<IsotonicMap::Point> points;
    for (std::size_t i = 0; i < outcomes.size(); ++i)
      if (groups[i] % options.folds != fold) points.push_back({scores[i], outcomes.right[i], outcomes.weights[i]});
    return IsotonicMap::learn(std::move(points), options.min_level);
  };
  bool maps = outcomes.log_odds.empty();
  if (!maps) {
    std::vector<float> mapped(scores.size(), 0.0F);
    for (std::size_t fold = 0; fold < options.folds; ++fold) {
      const auto map = map_without(fold);
      for (std::size_t i = 0; i < outcomes.size(); ++i)
        if (groups[i] % options.folds == fold) mapped[i] = log_odds_of(map.probability(scores[i]));
    }
    maps = improves(outcomes, scores, mapped);
  }
  if (maps) learned.model.map = map_without(options.folds);
  for (const float score : scores)
    learned.held_out.push_back(static_cast<double>(learned.model.map.probability(score)));
  return learned;
}

}  // namespace trustsql::semparse
