// OutcomeModel: the probability that something holds, from numbers that speak for and against it: boosted trees, and a
// map that makes their scores probabilities.
//
// The map is learned from scores of outcomes that the trees did not see (cross-fitting), so the probabilities hold for
// new outcomes like those of training. Used for the confidence of answers from examples, and for the modules that are
// trained on a user's questions (question_classifier.hpp, error_detector.hpp).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "semparse/learning/isotonic_map.hpp"
#include "semparse/learning/tree_ensemble.hpp"

namespace trustsql::semparse {

struct OutcomeModel {
  TreeEnsemble trees{};
  IsotonicMap map{};

  // Preconditions: `inputs` has as many numbers as those of training; `log_odds` is what was known in training, too.
  double probability(std::span<const float> inputs, float log_odds = 0) const {
    return static_cast<double>(map.probability(log_odds + trees.score(inputs)));
  }
};

struct OutcomeOptions {
  BoostingOptions boosting{.trees = 120,
                           .depth = 3,
                           .rate = 0.08F,
                           .input_share = 1,
                           .row_share = 1,
                           .regularisation = 2,
                           .min_curvature = 0,
                           .min_rows = 12};
  std::size_t folds = 5;
  float min_level = 0;  // the least weight of the outcomes from which the map takes a probability
};

struct LearnedOutcomes {
  OutcomeModel model{};
  std::vector<double> held_out{};  // for each outcome: its probability by trees that were learned without its fold
};

// Learns to foretell `outcomes`. `groups` has a number for each; those of a group are in the fold that is the remainder
// of their number by the number of folds. Where log-odds are known already, there are only trees, and a map, if these
// make them better for outcomes that were left out, by more than chance would (paired_losses.hpp). The result depends
// on nothing but the arguments. With no outcomes every probability is a half.
LearnedOutcomes learn_outcomes(const Outcomes& outcomes, const std::vector<std::uint64_t>& groups,
                               const OutcomeOptions& options = {});

}  // namespace trustsql::semparse
