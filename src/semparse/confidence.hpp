// Confidence: how likely the best candidate is right, from how it stands among the others, what of the question it
// leaves unexplained, and what it returns.
//
// The weights were trained on candidates for databases that the parser's other weights were not trained on, with
// questions that those databases cannot answer among them, so that the probability holds for databases that nobody has
// seen (docs/results.md).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "db/results/result_set.hpp"
#include "semparse/linear_model.hpp"

namespace trustsql::semparse {

// What a candidate returned when it was run.
struct Outcome {
  std::size_t rows = 0;
  bool nulls = true;              // no value but NULL
  std::uint64_t fingerprint = 0;  // equal for equal bags of rows, whatever the order of columns
};
Outcome outcome_of(const ResultSet& result);

// How the best candidate stands.
struct Standing {
  float probability = 0;             // of all candidates that returned the same rows
  float rival = 0;                   // of the strongest that returned others
  float skeleton_score = 0;          // Candidate::skeleton_score
  float weakest_step = 0;            // Draft::weakest
  std::optional<Outcome> outcome{};  // none: it failed
};

// `probabilities` of the candidates, the best first, and the outcomes of as many as were run.
Standing standing_of(std::span<const float> probabilities, std::span<const std::optional<Outcome>> outcomes);

// `ranking`: the features of the candidate as ranking_features() gives them.
Features confidence_features(const Standing& standing, const Features& ranking);

}  // namespace trustsql::semparse
