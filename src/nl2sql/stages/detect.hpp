// Error detection by a trained detector, after SQL was written: TrustSQL's ERROR_M (section 4.1.1), as
// semparse/abstention/error_detector.hpp has it. No language model is asked. An answer that was learned for this very
// question (nl2sql_learn) is not judged.
#pragma once

#include <optional>

#include "nl2sql/stages/stage.hpp"
#include "score/reliability/reliability.hpp"

namespace trustsql::nl2sql {

// Where several are given, the threshold counts first, then risk, then penalty, which the detector's calibration turns
// into a threshold.
struct DetectOptions {
  std::optional<double> threshold{};  // for the probability that the SQL is right
  std::optional<double> risk{};       // the share of wrong answers that is tolerated
  std::optional<Penalty> penalty{};   // for a wrong answer
};

class DetectStage final : public Stage {
 public:
  // TrustSQL's detector says correct or incorrect: the threshold is a half unless the options say otherwise.
  static constexpr double default_threshold = 0.5;

  explicit DetectStage(DetectOptions options) : options_(options) {}
  std::string_view name() const override { return "detect"; }

  // Sets attempt.signals.verification, and attempt.abstention to `error_detected` if it is too low. Does nothing
  // without attempt.sql. Precondition: context.knowledge. Error (invalid_argument): no trained model is in use.
  Status run(Attempt& attempt, StageContext& context) const override;

 private:
  DetectOptions options_;
};

}  // namespace trustsql::nl2sql
