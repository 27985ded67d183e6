// The stages of fitting: ranking, choice and confidence, each learned from judged questions on which the stages before
// it were used.
//
// Choice and confidence begin with nothing, or go on from trees that were learned from other questions (`start`).
#pragma once

#include <cstdint>
#include <functional>

#include "semparse/learning/linear_model.hpp"
#include "semparse/learning/tree_ensemble.hpp"
#include "semparse/training/judging.hpp"

namespace trustsql::semparse {

// Softmax over the candidates of a question; all right ones count.
LinearModel fit_ranking(Questions questions, int epochs, std::uint64_t seed);
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

// How badly trees do for a question; smaller is better. Of the choice: minus the logarithm of the probability of the
// right candidates, 0 where there is nothing to choose. Of the confidence: the logistic loss.
double choice_loss(const TreeEnsemble& trees, const JudgedQuestion& question);
double confidence_loss(const TreeEnsemble& trees, const JudgedQuestion& question);

// Deals groups, whose sizes are given, into `folds` folds of about equal size: the fold of each group.
std::vector<std::size_t> deal_into_folds(const std::vector<std::size_t>& sizes, std::size_t folds);

}  // namespace trustsql::semparse
