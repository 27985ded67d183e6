#include "semparse/training/fitting_stages.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/random.hpp"

namespace trustsql::semparse {

namespace {

void shuffle_questions(Questions& questions, Random& random) {
  for (std::size_t i = questions.size(); i > 1; --i) std::swap(questions[i - 1], questions[random.below(i)]);
}

std::vector<float> ranking_scores(const LinearModel& model, const JudgedQuestion& question) {
  std::vector<float> scores;
  for (const auto& candidate : question.candidates) scores.push_back(model.score(candidate.features));
  log_softmax(scores);
  return scores;
}

bool has_choice(const JudgedQuestion& question) {
  const auto is_right = [](const JudgedCandidate& candidate) { return candidate.right; };
  const auto& candidates = question.candidates;
  return question.feasible() && std::any_of(candidates.begin(), candidates.end(), is_right) &&
         !std::all_of(candidates.begin(), candidates.end(), is_right);
}

// Minus the logarithm of what the right candidates have of the probability; 0 if none is right.
double loss_of(const std::vector<float>& log_probabilities, const JudgedQuestion& question) {
  if (!has_choice(question)) return 0;
  double right = 0;
  for (std::size_t i = 0; i < log_probabilities.size(); ++i)
    if (question.candidates[i].right) right += std::exp(static_cast<double>(log_probabilities[i]));
  return -std::log(std::max(right, 1e-6));
}

}  // namespace

LinearModel fit_ranking(Questions questions, int epochs, std::uint64_t seed) {
  LinearModel model(LinearModel::small_size);
  Learner learner(model);
  Random random(seed, 1);
  std::erase_if(questions, [](const auto* question) { return !question->feasible(); });
  for (int epoch = 0; epoch < epochs; ++epoch) {
    shuffle_questions(questions, random);
    for (const auto* question : questions) {
      const auto scores = ranking_scores(model, *question);
      float right = 0;
      for (std::size_t i = 0; i < scores.size(); ++i)
        if (question->candidates[i].right) right += std::exp(scores[i]);
      if (right <= 0) continue;
      for (std::size_t i = 0; i < scores.size(); ++i) {
        const float p = std::exp(scores[i]);
        const float gradient = (question->candidates[i].right ? p / right : 0.0F) - p;
        if (std::fabs(gradient) > 1e-3F) learner.update(question->candidates[i].features, gradient);
      }
    }
  }
  return model;
}

void rank_all(const LinearModel& model, const Questions& questions) {
  for (auto* question : questions) {
    auto& candidates = question->candidates;
    const auto scores = ranking_scores(model, *question);
    for (std::size_t i = 0; i < candidates.size(); ++i) candidates[i].contender.probability = std::exp(scores[i]);
    std::stable_sort(candidates.begin(), candidates.end(), [](const JudgedCandidate& a, const JudgedCandidate& b) {
      return a.contender.probability > b.contender.probability;
    });
    if (candidates.size() > max_contenders) candidates.erase(candidates.begin() + max_contenders, candidates.end());
    question->inputs = choice_inputs(contenders_of(*question));
  }
}

TreeEnsemble fit_choice(const Questions& questions, const BoostingOptions& options, const TreeEnsemble* start) {
  Choices choices;
  choices.width = choice_input_count();
  for (const auto* question : questions) {
    if (!has_choice(*question)) continue;
    for (std::size_t i = 0; i < question->candidates.size(); ++i) {
      choices.add(question->inputs[i], question->candidates[i].right);
      if (start != nullptr) choices.known.push_back(start->score(question->inputs[i]));
    }
    choices.end_list();
  }
  TreeEnsemble trees = start != nullptr ? *start : TreeEnsemble();
  trees.append(boost_choices(choices, options));
  return trees;
}

void choose_all(const TreeEnsemble& trees, const Questions& questions) {
  for (auto* question : questions) {
    if (question->candidates.empty()) continue;
    question->choice = choose(trees, question->inputs);
    question->confidence_inputs = confidence_inputs(contenders_of(*question), question->inputs, question->choice);
  }
}

TreeEnsemble fit_confidence(const Questions& questions, const BoostingOptions& options, bool balanced,
                            const TreeEnsemble* start) {
  float feasible = 0;
  float infeasible = 0;
  for (const auto* question : questions)
    if (!question->candidates.empty()) (question->feasible() ? feasible : infeasible) += 1;
  const float infeasible_weight = balanced ? feasible / std::max(infeasible, 1.0F) : 1;
  Outcomes outcomes;
  outcomes.width = confidence_input_count();
  for (const auto* question : questions) {
    if (!question->may_be_answered()) continue;
    outcomes.add(question->confidence_inputs, question->is_right(), question->feasible() ? 1 : infeasible_weight);
    if (start != nullptr) outcomes.log_odds.push_back(start->score(question->confidence_inputs));
  }
  TreeEnsemble trees = start != nullptr ? *start : TreeEnsemble();
  trees.append(boost_outcomes(outcomes, options));
  return trees;
}

double choice_loss(const TreeEnsemble& trees, const JudgedQuestion& question) {
  std::vector<float> scores;
  for (const auto& row : question.inputs) scores.push_back(trees.score(row));
  log_softmax(scores);
  return loss_of(scores, question);
}

double confidence_loss(const TreeEnsemble& trees, const JudgedQuestion& question) {
  if (question.candidates.empty()) return 0;
  const auto p = static_cast<double>(logistic(trees.score(question.confidence_inputs)));
  return -std::log(std::max(question.is_right() ? p : 1 - p, 1e-6));
}

std::vector<std::size_t> deal_into_folds(const std::vector<std::size_t>& sizes, std::size_t folds) {
  std::vector<std::size_t> order(sizes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return sizes[a] > sizes[b]; });
  std::vector<std::size_t> loads(folds, 0);
  std::vector<std::size_t> fold_of(sizes.size(), 0);
  for (const auto group : order) {
    const auto lightest = static_cast<std::size_t>(std::min_element(loads.begin(), loads.end()) - loads.begin());
    fold_of[group] = lightest;
    loads[lightest] += sizes[group];
  }
  return fold_of;
}

}  // namespace trustsql::semparse
