// Classifiers of factors: what parts a query has, foretold from the words of its question alone.
//
// A factor is a token of templates, or two neighbouring ones, that some templates have and others have not: "count",
// "order by ... desc", a table. Templates that no example has are made of the same factors, so a query with one that
// the question does not speak of, or without one that it does, is found out although it is the best there is: the
// ranking compares candidates, the factors judge each by itself.
#pragma once

#include <cstdint>
#include <functional>
#include <unordered_map>
#include <vector>

#include "semparse/examples/template_candidates.hpp"

namespace trustsql::semparse {

// How well the factors of a candidate fit its question: logarithms of probabilities, 0 at best.
struct FactorFit {
  float all = 0;      // of all factors together
  float present = 0;  // the least of a factor that the query has
  float absent = 0;   // and of one that it has not
  float ideal = 0;    // of all, for the factors that the question itself makes likeliest
};

class QueryFactors {
 public:
  // Chooses the factors. `bank` must outlive this object.
  explicit QueryFactors(const ExampleBank& bank);

  // Learns from the bank's patterns: logistic regression on words and pairs of neighbours, AdaGrad. `stopped` is asked
  // now and then; if it says so, learning ends early.
  void learn(const std::function<bool()>& stopped);

  // Precondition: the candidate has a query.
  FactorFit fit(const QuestionForm& question, const TemplateCandidate& candidate) const;

 private:
  std::vector<bool> factors_of(const QueryTemplate& query) const;
  // The indexes of the weights of words and pairs; unknown ones are left out.
  std::vector<std::size_t> inputs_of(const std::vector<std::uint64_t>& symbols) const;
  std::vector<std::uint64_t> symbols_of(const BankPattern& pattern) const;
  void number_inputs();

  const ExampleBank& bank_;
  std::unordered_map<std::uint64_t, std::size_t> numbers_{};  // of factors
  std::unordered_map<std::uint64_t, std::size_t> inputs_{};   // of words and pairs
  std::size_t count_ = 0;
  std::vector<float> weights_{};  // of each input, for each factor; the first input is always there
};

}  // namespace trustsql::semparse
