// Triage: whether a question can be answered at all, before any SQL is written. TrustSQL's infeasible question
// detection CLS_P (section 4.1.1, Appendix D.1).
//
// The prompt: the schema as CREATE TABLE with three values of each column, feasible and infeasible demonstrations, the
// question. The model answers with one word. A reply that is neither word counts as not_answerable: if the model does
// not clearly say that a question can be answered, it should not be answered.
//
// Optionally, a second question asks for the reason, one of the types of section 2.2; it does not change the first
// answer.
#pragma once

#include <string_view>
#include <vector>

#include "nl2sql/prompts/demonstrations.hpp"
#include "nl2sql/stages/stage.hpp"

namespace trustsql::nl2sql {

struct TriageOptions {
  ModelOptions model;
  bool type = false;        // ask for the type as well
  bool small_talk = false;  // small talk is a type of its own; otherwise it counts as non-sql
  DemonstrationCounts demonstrations = triage_counts();
};

class TriageStage final : public Stage {
 public:
  explicit TriageStage(TriageOptions options) : options_(std::move(options)) {}
  std::string_view name() const override { return "triage"; }

  // Sets attempt.abstention to `infeasible` if the answer is not_answerable, and attempt.infeasible_type if it is
  // requested and the reply names one.
  Status run(Attempt& attempt, StageContext& context) const override;

 private:
  Status ask_type(Attempt& attempt, StageContext& context, std::vector<llm::Message> conversation,
                  const std::string& answer) const;

  TriageOptions options_;
};

}  // namespace trustsql::nl2sql
