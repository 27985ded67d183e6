// Error detection: the model is asked once more whether the SQL answers the question before it is returned. TrustSQL's
// ERROR_P (section 4.1.1, Appendix D.1).
//
// The prompt: the schema in the style Columns=[]+FK, the question, the SQL; the answer is one word. The probability
// that the SQL is correct comes from the log-probabilities of that word if the server returns them; otherwise it is 1
// or 0. A reply that is neither word counts as incorrect.
#pragma once

#include <string_view>

#include "nl2sql/stages/stage.hpp"

namespace trustsql::nl2sql {

struct VerifyOptions {
  ModelOptions model;
  double min_probability = 0.5;  // below it the SQL is withheld
};

class VerifyStage final : public Stage {
 public:
  explicit VerifyStage(VerifyOptions options) : options_(std::move(options)) {}
  std::string_view name() const override { return "verify"; }

  // Sets attempt.signals.verification, and attempt.abstention to `error_detected` if it is too low. Does nothing
  // without attempt.sql.
  Status run(Attempt& attempt, StageContext& context) const override;

 private:
  VerifyOptions options_;
};

}  // namespace trustsql::nl2sql
