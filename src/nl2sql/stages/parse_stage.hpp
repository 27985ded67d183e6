// EMBEDDED: the semantic parser as a stage. It writes the SQL that a language model writes elsewhere, and needs none.
//
// It abstains below the threshold, with what it did not understand: a word of the question for which the database has
// nothing, a name that could mean two columns, or merely too little confidence.
#pragma once

#include "nl2sql/stages/stage.hpp"

namespace trustsql::nl2sql {

// For a penalty c and a share u of questions that cannot be answered, abstaining is best below (c + u) / (c + 1)
// (TrustSQL, Eq. 1, as expected scores): this is for c = 10, u = 1/2.
inline constexpr double default_parse_threshold = 10.5 / 11;

struct ParseStageOptions {
  double threshold = default_parse_threshold;
};

class ParseStage final : public Stage {
 public:
  explicit ParseStage(ParseStageOptions options) : options_(options) {}
  std::string_view name() const override { return "parse"; }

  // Sets attempt.sql and attempt.signals.reading, or abstains. Precondition: context.knowledge.
  Status run(Attempt& attempt, StageContext& context) const override;

 private:
  ParseStageOptions options_;
};

}  // namespace trustsql::nl2sql
