// The stages of fitting: ranking, choice and confidence, each learned from judged questions on which the stages before
// it were used.
//
// Each begins with nothing, or goes on from a model that was learned from other questions (`start`): the ranker's
// weights move on from there, and trees are added to those that are there.
#pragma once

#include <cstdint>
#include <functional>

#include "semparse/judging.hpp"
#include "semparse/linear_model.hpp"
#include "semparse/tree_ensemble.hpp"

namespace trustsql::semparse {

struct RankingOptions {
  int epochs = 6;
  float rate = 0.1F;  // the first step of a weight
  std::uint64_t seed = 17;
};

// Softmax over the candidates of a question; all right ones count.
LinearModel fit_ranking(Questions questions, const RankingOptions& options, const LinearModel* start = nullptr);
// Keeps the candidates that the ranker puts first, in its order.
void rank_all(const LinearModel& model, const Questions& questions);

// Softmax over the contenders of a question, as fit_ranking(). Precondition: rank_all().
TreeEnsemble fit_choice(const Questions& questions, const BoostingOptions& options,
                        const TreeEnsemble* start = nullptr);
// Precondition: rank_all().
void choose_all(const TreeEnsemble& trees, const Questions& questions);

// Logistic loss: whether the choice is right. `balanced`: infeasible questions count as much, together, as feasible
// ones; otherwise each question counts once. Precondition: choose_all().
TreeEnsemble fit_confidence(const Questions& questions, const BoostingOptions& options, bool balanced = true,
                            const TreeEnsemble* start = nullptr);

// The mean loss of a model on questions that it was not learned from, smaller is better: of the first two, minus the
// logarithm of the probability of the right candidates, over the feasible questions that have one.
double ranking_loss(const LinearModel& model, const JudgedQuestion& question);
double choice_loss(const TreeEnsemble& trees, const JudgedQuestion& question);
double confidence_loss(const TreeEnsemble& trees, const JudgedQuestion& question);

// Deals groups, whose sizes are given, into `folds` folds of about equal size: the fold of each group.
std::vector<std::size_t> deal_into_folds(const std::vector<std::size_t>& sizes, std::size_t folds);

}  // namespace trustsql::semparse
