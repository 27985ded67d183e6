// EMBEDDED: the semantic parser as a stage. It writes the SQL that a language model writes elsewhere, and needs none.
//
// It abstains below the threshold, with what it did not understand: a word of the question for which the database has
// nothing, a name that could mean two columns, or merely too little confidence. What is near an unknown word becomes
// the suggestion (semparse/question/correction.hpp). It always abstains from what is no question about data: a task, a
// request for advice, small talk (semparse/words/intent.hpp).
#pragma once

#include "nl2sql/stages/stage.hpp"
#include "score/reliability/reliability.hpp"
#include "semparse/abstention/unified.hpp"

namespace trustsql::nl2sql {

// With the penalty c, an answer that is right with probability p scores p - c (1 - p) on average (TrustSQL, Eq. 1):
// more than nothing above c / (c + 1). This is for c = 10.
inline constexpr double default_parse_threshold = 10.0 / 11;

// Where several are given, the threshold counts first, then risk, then penalty. Without any, a score has the threshold
// of its own, and everything is answered otherwise.
struct ParseStageOptions {
  std::optional<double> threshold = default_parse_threshold;
  std::optional<double> risk{};                   // the share of wrong answers that is tolerated
  std::optional<Penalty> penalty{};               // for a wrong answer
  std::optional<semparse::UnifiedScore> score{};  // in place of the confidence
};

class ParseStage final : public Stage {
 public:
  explicit ParseStage(ParseStageOptions options) : options_(options) {}
  std::string_view name() const override { return "parse"; }

  // Sets attempt.sql and attempt.signals.reading, or abstains. Precondition: context.knowledge. Error
  // (invalid_argument): the model was trained without what the options need.
  Status run(Attempt& attempt, StageContext& context) const override;

 private:
  ParseStageOptions options_;
};

}  // namespace trustsql::nl2sql
