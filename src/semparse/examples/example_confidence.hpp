// How sure an answer from examples is: numbers that describe how its candidate stands, from which boosted trees make a
// probability.
#pragma once

#include <cstdint>
#include <unordered_set>
#include <vector>

#include "semparse/examples/boosted_trees.hpp"
#include "semparse/examples/template_candidates.hpp"

namespace trustsql::semparse {

// The words that the questions of each family have, for telling what is new in a question.
class FamilyVocabulary {
 public:
  explicit FamilyVocabulary(const ExampleBank& bank);
  bool has_word(int family, std::uint64_t stem) const;
  bool has_pair(int family, std::uint64_t first, std::uint64_t second) const;

 private:
  std::unordered_set<std::uint64_t> seen_{};
};

// The features of candidate `best` of `candidates`, whose probabilities are `probabilities`; always as many numbers.
// `own_pattern`: as in Exclusion.
std::vector<float> example_confidence_features(const QuestionForm& question,
                                               const std::vector<TemplateCandidate>& candidates,
                                               const std::vector<float>& probabilities, std::size_t best,
                                               const FamilyVocabulary& vocabulary);

// From features to the probability that the candidate is right.
struct ExampleConfidence {
  BoostedTrees trees{};
  IsotonicMap map{};
  double probability(const std::vector<float>& features) const {
    return static_cast<double>(map.probability(trees.score(features)));
  }
};

// Learns from held-out outcomes; `groups` has a number for each, and outcomes of one group are judged together by trees
// that have not seen them, for the map.
ExampleConfidence learn_confidence(const std::vector<Outcome01>& outcomes, const std::vector<std::uint64_t>& groups);

// The confidence that this library carries, for sets of examples that are too small to learn their own.
const ExampleConfidence& shipped_example_confidence();

}  // namespace trustsql::semparse
