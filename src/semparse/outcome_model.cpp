#include "semparse/outcome_model.hpp"

#include <cmath>

namespace trustsql::semparse {

namespace {

// Trees after a constant: the log-odds of all outcomes, as if one more of each kind had been seen.
TreeEnsemble trees_for(Outcomes outcomes, const BoostingOptions& options) {
  TreeEnsemble trees;
  if (outcomes.size() == 0) return trees;
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

}  // namespace

LearnedOutcomes learn_outcomes(const Outcomes& outcomes, const std::vector<std::uint64_t>& groups,
                               const OutcomeOptions& options) {
  LearnedOutcomes learned;
  std::vector<float> scores(outcomes.size(), 0.0F);
  for (std::size_t fold = 0; fold < options.folds; ++fold) {
    Outcomes others;
    for (std::size_t i = 0; i < outcomes.size(); ++i)
      if (groups[i] % options.folds != fold) others.add(outcomes.inputs_of(i), outcomes.right[i], outcomes.weights[i]);
    const auto trees = trees_for(std::move(others), options.boosting);
    for (std::size_t i = 0; i < outcomes.size(); ++i)
      if (groups[i] % options.folds == fold) scores[i] = trees.score(outcomes.inputs_of(i));
  }
  std::vector<IsotonicMap::Point> points;
  for (std::size_t i = 0; i < outcomes.size(); ++i)
    points.push_back({scores[i], outcomes.right[i], outcomes.weights[i]});
  learned.model = {trees_for(outcomes, options.boosting), IsotonicMap::learn(std::move(points), options.min_level)};
  for (const float score : scores)
    learned.held_out.push_back(static_cast<double>(learned.model.map.probability(score)));
  return learned;
}

}  // namespace trustsql::semparse
