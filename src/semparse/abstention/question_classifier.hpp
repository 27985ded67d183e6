// QuestionClassifier: whether a question can be answered at all, learned from questions of a user's own: TrustSQL's
// trained module CLS_M (section 4.1.1, Appendix C.1).
//
// There it is a fine-tuned language model. Here boosted trees read what the parser found: which words of the question
// it linked and to what, which cues it has, what its triage says and why, how sure its reading is; and how the words of
// the question speak for one kind or the other, judged by the questions of training. As in the paper, its verdict is
// feasible or not; the type of an infeasible question comes from the parser's triage.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "semparse/learning/outcome_model.hpp"
#include "semparse/question/question_view.hpp"

namespace trustsql::semparse {

struct Parse;

// What the classifier reads of a parse, but for the question's words; always classifier_input_count() numbers. `parse`
// is complete but for these.
std::vector<float> classifier_inputs(const QuestionView& view, const Parse& parse);
std::size_t classifier_input_count();

// How the words of questions speak for feasible and for infeasible ones: naive Bayes on base forms, each once in a
// question.
class WordOdds {
 public:
  struct Counts {
    std::uint32_t feasible = 0;
    std::uint32_t infeasible = 0;
  };

  void add(const Question& question, bool feasible);

  // Three numbers: the log-odds of all words, of the word that speaks most against a feasible question, and the share
  // of words that are in no feasible question.
  std::vector<float> inputs(const Question& question) const;
  static constexpr std::size_t input_count = 3;

  // By hash of the word.
  const std::map<std::uint64_t, Counts>& words() const { return words_; }
  const Counts& questions() const { return questions_; }
  static WordOdds from_counts(std::map<std::uint64_t, Counts> words, Counts questions);

 private:
  std::map<std::uint64_t, Counts> words_{};
  Counts questions_{};
};

struct QuestionClassifier {
  WordOdds words{};
  OutcomeModel outcome{};

  // The probability that the question of a parse can be answered. `parsed`: classifier_inputs(), or empty for a
  // question without words, which cannot.
  double probability(const Question& question, std::span<const float> parsed) const;
};

}  // namespace trustsql::semparse
