// Confidence: which of the best candidates is answered, and how likely that is right.
//
// The contenders are the candidates that the ranker put first. They were run, so that what they return counts: those
// with the same rows support each other. Two ensembles of trees read the evidence of a contender (evidence.hpp) and how
// it stands among the others: one chooses, one says how sure the choice is. Both were trained on contenders for
// databases that the parser's other weights were not trained on, with questions that those databases cannot answer
// among them, so that the probability holds for databases that nobody has seen (docs/results.md).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "db/results/result_set.hpp"
#include "semparse/tree_ensemble.hpp"

namespace trustsql::semparse {

// How many candidates are run.
inline constexpr std::size_t max_contenders = 15;

// What a candidate returned when it was run.
struct Outcome {
  std::size_t rows = 0;
  bool nulls = true;              // no value but NULL
  std::uint64_t fingerprint = 0;  // equal for equal bags of rows, whatever the order of columns
};
Outcome outcome_of(const ResultSet& result);

struct Contender {
  float probability = 0;             // of the ranker, among all candidates
  std::optional<Outcome> outcome{};  // none: it failed, or was not run
  std::vector<float> evidence{};     // evidence_of()
};

// The inputs of each contender for the trees that choose. Precondition: all have the same number of pieces of evidence,
// and the ranker's order.
std::vector<std::vector<float>> choice_inputs(std::span<const Contender> contenders);

// What was chosen.
struct Choice {
  std::size_t best = 0;                // a contender
  std::vector<float> probabilities{};  // of each contender

  // The likeliest first.
  std::vector<float> sorted_probabilities() const;
};
// Precondition: there is a contender.
Choice choose(const TreeEnsemble& trees, const std::vector<std::vector<float>>& inputs);

// The inputs of the choice for the trees that say how sure it is. `inputs`: choice_inputs().
std::vector<float> confidence_inputs(std::span<const Contender> contenders,
                                     const std::vector<std::vector<float>>& inputs, const Choice& choice);

// How many inputs the two ensembles have at most.
std::size_t choice_input_count();
std::size_t confidence_input_count();

}  // namespace trustsql::semparse
