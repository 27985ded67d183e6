// Triage without a language model: the embedded parser says whether the database can answer a question, and if not,
// which of TrustSQL's types of infeasible questions it is (section 2.2; semparse/abstention/triage.hpp).
#pragma once

#include "nl2sql/stages/stage.hpp"

namespace trustsql::nl2sql {

struct ParserTriageOptions {
  bool small_talk = false;  // small talk is a type of its own; otherwise it counts as non-sql
};

class ParserTriageStage final : public Stage {
 public:
  explicit ParserTriageStage(ParserTriageOptions options) : options_(options) {}
  std::string_view name() const override { return "triage"; }

  // Abstains from an infeasible question, with its type, what is wrong with it, and what could be asked instead.
  // Precondition: context.knowledge.
  Status run(Attempt& attempt, StageContext& context) const override;

 private:
  ParserTriageOptions options_;
};

}  // namespace trustsql::nl2sql
