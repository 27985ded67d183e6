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
#include "semparse/learning/tree_ensemble.hpp"

namespace trustsql::semparse {

// How many candidates are run.
inline constexpr std::size_t max_contenders = 15;

// What a candidate returned when it was run.
struct Outcome {
  std::size_t rows = 0;
  bool nulls = true;              // no value but NULL
  std::uint64_t fingerprint = 0;  // equal for equal bags of rows, whatever the order of columns
  // Of the distinct rows and of the distinct values of the first column; 0 if there are too many rows to tell.
  std::uint64_t distinct_rows = 0;
  std::uint64_t distinct_firsts = 0;
  float repeated = 0;        // the share of rows that repeat others
  float first_distinct = 0;  // how many distinct values the first column has for each row
  float first_type = 0;      // of the first value: 1 + ValueType; 0 without rows
};
Outcome outcome_of(const ResultSet& result);

struct Contender {
  float probability = 0;             // of the ranker, among all candidates
  std::optional<Outcome> outcome{};  // none: it failed, or was not run
  std::vector<float> evidence{};     // evidence_of()
  std::vector<float> checks{};       // confidence_checks(); only of the chosen one are they needed
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

// The inputs of the choice for the trees that say how sure it is. `inputs`: choice_inputs(). The chosen contender has
// its checks.
std::vector<float> confidence_inputs(std::span<const Contender> contenders,
                                     const std::vector<std::vector<float>>& inputs, const Choice& choice);

// How many inputs the two ensembles have at most.
std::size_t choice_input_count();
std::size_t confidence_input_count();

}  // namespace trustsql::semparse
