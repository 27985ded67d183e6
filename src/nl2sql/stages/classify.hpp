// Detection of infeasible questions by a trained classifier, before any SQL is written: TrustSQL's CLS_M (section
// 4.1.1), as semparse/abstention/question_classifier.hpp has it. No language model is asked.
#pragma once

#include "nl2sql/stages/stage.hpp"

namespace trustsql::nl2sql {

struct ClassifyOptions {
  double min_probability = 0.5;  // that the question can be answered; below it, it is not
};

class ClassifyStage final : public Stage {
 public:
  explicit ClassifyStage(ClassifyOptions options) : options_(options) {}
  std::string_view name() const override { return "classify"; }

  // Sets attempt.abstention to `infeasible` if the question is unlikely to have an answer, with what the parser's
  // triage says about it. Precondition: context.knowledge. Error (invalid_argument): no trained model is in use.
  Status run(Attempt& attempt, StageContext& context) const override;

 private:
  ClassifyOptions options_;
};

}  // namespace trustsql::nl2sql
