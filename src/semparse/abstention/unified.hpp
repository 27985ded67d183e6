// TrustSQL's unified approaches (section 4.1.2) for the parser: scores by which it abstains, in place of the trained
// confidence.
//
//   MAXENT    entropy of the readings' distribution: the parser decides once, where a generator decides token by token
//   MAXPROB   probability of the best reading
//   FEATMD    Mahalanobis distance of the best reading's features to those of right readings in training
//   FEATRMD   the same relative to a background: the features of all questions, feasible or not
//
// Thresholds are the heuristic ones of Appendix C.2, from questions about databases that were left out.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace trustsql::semparse {

class QuestionView;
struct Candidate;

enum class UnifiedScore : std::uint8_t { max_entropy, max_probability, feature_distance, relative_feature_distance };
inline constexpr std::size_t unified_scores = 4;
// "MAXENT", "MAXPROB", "FEATMD", "FEATRMD"
std::string_view unified_name(UnifiedScore score);

// What the scores are made from, for one question.
struct UnifiedInput {
  std::vector<float> probabilities{};  // of the readings, the best first
  std::vector<float> features{};       // of the best reading: unified_features()
};

// Features of a candidate: how its parts were chosen, how much of the question it explains, how large it is. Distances
// are measured in these and in what the distribution of the readings says.
std::vector<float> unified_features(const QuestionView& view, const Candidate& candidate);

// What training leaves behind.
struct UnifiedFits {
  std::string right{};       // the Gaussian of right readings, as GaussianView reads it
  std::string background{};  // of all readings
  // By score; as confidences (uncertainties are negated). None: nothing is answered.
  std::array<std::optional<double>, unified_scores> thresholds{};
};

// A question of training, answered by a model that did not see its database.
struct UnifiedExample {
  UnifiedInput input{};
  bool feasible = true;
  bool right = false;
};

// Errors (invalid_argument): there are no right readings, or too few for a fit.
Result<UnifiedFits> fit_unified(const std::vector<UnifiedExample>& examples);

// The score as a confidence: larger is surer. `fits` may be null for MAXENT and MAXPROB. nullopt if there is no
// reading. Errors (invalid_argument): the fits are damaged, or of other features.
Result<std::optional<double>> unified_confidence(UnifiedScore score, const UnifiedInput& input,
                                                 const UnifiedFits* fits);

// The same between 0 and 1, in the same order.
double unified_share(UnifiedScore score, double confidence);

std::string write_unified(const UnifiedFits& fits);
// Error (invalid_argument): damaged.
Result<UnifiedFits> read_unified(std::string_view bytes);

}  // namespace trustsql::semparse
