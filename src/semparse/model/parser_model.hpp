// ParserModel: all that the parser learned: the weights of its decisions, the words that these may name, and the
// skeletons that it knows.
#pragma once

#include <optional>
#include <vector>

#include "semparse/abstention/calibration.hpp"
#include "semparse/abstention/error_detector.hpp"
#include "semparse/abstention/question_classifier.hpp"
#include "semparse/abstention/unified.hpp"
#include "semparse/learning/linear_model.hpp"
#include "semparse/learning/tree_ensemble.hpp"
#include "semparse/question/question_view.hpp"
#include "semparse/tree/skeleton.hpp"

namespace trustsql::semparse {

struct KnownSkeleton {
  Skeleton skeleton{};
  std::vector<std::uint64_t> fragments{};
};

struct ParserModel {
  LinearModel weights{};                         // of skeletons and of steps
  LinearModel ranking{LinearModel::small_size};  // of whole candidates (ranking.hpp)
  TreeEnsemble choice{};                         // of one of the best (confidence.hpp)
  TreeEnsemble confidence{};                     // that it is right
  Vocabulary vocabulary{};
  std::vector<KnownSkeleton> skeletons{};
  // Parts that an older model lacks.
  std::optional<Calibration> calibration{};
  std::optional<UnifiedFits> unified{};
  // Modules that are trained on a user's questions (adapting.hpp).
  std::optional<QuestionClassifier> classifier{};
  std::optional<ErrorDetector> detector{};
  // Of parts of skeletons, each by itself (form_fit.hpp); older models lack it.
  std::optional<LinearModel> forms{};
};

// The logarithm of each known skeleton's probability for the question of `view`.
std::vector<float> score_skeletons(const ParserModel& model, const QuestionView& view);

}  // namespace trustsql::semparse
