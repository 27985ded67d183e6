// Which template a question asks for: a log-linear choice among candidates.
//
// A feature is a word, or two neighbouring words, of the question together with a fragment of the query: a token, two
// neighbouring tokens, or the whole template. So a template that no example has is judged by its fragments. Trained as
// the rest of the parser: softmax over the candidates of each example, AdaGrad. In training a question never finds its
// own pattern, and at times not even its own template, so that analogies are learned as well.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "semparse/examples/template_candidates.hpp"
#include "semparse/learning/linear_model.hpp"

namespace trustsql::semparse {

struct RankingOptions {
  int epochs = 3;
  float rate = 0.1F;
  double hidden_share = 0.3;  // of questions that must find their template by analogy
  std::uint64_t seed = 23;
};

class TemplateRanker {
 public:
  // `bank` must outlive the ranker.
  explicit TemplateRanker(const ExampleBank& bank);

  // Learns from the bank's own patterns. `sql`: of each example. `question`: its text.
  // `stopped` is asked now and then; if it says so, learning ends early.
  void learn(const std::function<std::string_view(std::size_t example)>& question,
             const std::function<std::string(std::size_t example)>& sql, const RankingOptions& options,
             const std::function<bool()>& stopped);

  // How often a candidate of that family was right where learning found it likeliest, drawn to a half.
  float record(int family) const;

  // The probability of each candidate, in their order.
  std::vector<float> probabilities(const QuestionForm& question,
                                   const std::vector<TemplateCandidate>& candidates) const;

 private:
  struct CandidateFeatures {
    std::vector<std::uint64_t> symbols{};    // words of the question
    std::vector<std::uint64_t> fragments{};  // of the query, that not all candidates have
    std::uint64_t identity = 0;              // of the template
    Features others{};
  };
  std::vector<CandidateFeatures> features(const QuestionForm& question,
                                          const std::vector<TemplateCandidate>& candidates) const;
  std::vector<std::uint64_t> fragments(const TemplateCandidate& candidate) const;
  template <class Visit>
  void each_pair(const CandidateFeatures& features, Visit visit) const;
  float score(const CandidateFeatures& features) const;

  struct Record {
    float likeliest = 0;
    float right = 0;
  };

  const ExampleBank& bank_;
  LinearModel weights_;
  std::vector<Record> records_;  // of each family
};

}  // namespace trustsql::semparse
