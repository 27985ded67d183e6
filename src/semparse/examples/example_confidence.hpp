// Which answer from examples is given, and how sure it is: numbers describe how each candidate stands, one ensemble of
// boosted trees chooses among them, and another makes a probability of how the chosen one stands.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_set>
#include <vector>

#include "semparse/examples/query_factors.hpp"
#include "semparse/examples/template_ranking.hpp"
#include "semparse/learning/outcome_model.hpp"

namespace trustsql::semparse {

// The words that the questions of each family have, for telling what is new in a question.
class FamilyVocabulary {
 public:
  explicit FamilyVocabulary(const ExampleBank& bank);
  bool has_word(int family, std::uint64_t stem) const;
  bool has_pair(int family, std::uint64_t first, std::uint64_t second) const;

  struct UsualWord {
    std::uint64_t stem = 0;
    float weight = 0;  // the share of the family's questions that have it, times what the word says
  };
  // The words that most questions of a family have.
  const std::vector<UsualWord>& usual_words(int family) const { return usual_[static_cast<std::size_t>(family)]; }

 private:
  std::unordered_set<std::uint64_t> seen_{};
  std::vector<std::vector<UsualWord>> usual_{};  // of each family
};

// What a choice among candidates is made from.
struct CandidateStandings {
  std::vector<std::size_t> candidates{};   // the likeliest that have a query: indexes in the list of candidates
  std::vector<std::vector<float>> rows{};  // the features of each, always as many
};

// `probabilities`: of the candidates, as `ranker` gives them. No rows if no candidate has a query.
CandidateStandings candidate_standings(const QuestionForm& question, const std::vector<TemplateCandidate>& candidates,
                                       const std::vector<float>& probabilities, const TemplateRanker& ranker,
                                       const FamilyVocabulary& vocabulary, const QueryFactors& factors);

// What became of an example that was left out.
struct HeldOutExample {
  std::size_t example = 0;
  bool template_left_out = false;
  bool infeasible = false;
  bool answered = false;                   // the likeliest is not that it cannot be answered
  bool reachable = false;                  // a candidate is right
  std::vector<std::vector<float>> rows{};  // of its candidates, if answered
  std::vector<bool> right_rows{};          // which of these are right
  std::vector<std::string> queries{};      // and their SQL
  float weight = 1;
  std::uint64_t group = 0;  // the same for examples of templates that are alike
  // By a confidence that was learned without its group:
  std::size_t chosen = 0;  // a row
  double confidence = 0;

  bool right() const { return answered && right_rows[chosen]; }
};

// Which candidate is answered, and how sure that is. Both were learned from examples that were left out.
struct ExampleConfidence {
  TreeEnsemble choice{};
  OutcomeModel outcome{};

  // The row that is chosen. Precondition: there is one.
  std::size_t choose(const std::vector<std::vector<float>>& rows) const;
  // The probability that the query of row `chosen` is right.
  double probability(const std::vector<std::vector<float>>& rows, std::size_t chosen) const;
};

// Learns from `held_out` and writes what it would have said of each of them without its group: by groups, the examples
// are dealt into five folds (cross-fitting).
ExampleConfidence learn_example_confidence(std::vector<HeldOutExample>& held_out);

// The confidence that this library carries, for sets of examples that are too small to learn their own.
const ExampleConfidence& shipped_example_confidence();

}  // namespace trustsql::semparse
