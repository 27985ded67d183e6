// How sure an answer from examples is: numbers that describe how its candidate stands, from which boosted trees make a
// probability.
#pragma once

#include <cstdint>
#include <unordered_set>
#include <vector>

#include "semparse/examples/query_factors.hpp"
#include "semparse/outcome_model.hpp"

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
                                               const FamilyVocabulary& vocabulary, const QueryFactors& factors);

// The confidence that this library carries, for sets of examples that are too small to learn their own.
const OutcomeModel& shipped_example_confidence();

}  // namespace trustsql::semparse
