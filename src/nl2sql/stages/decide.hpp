// The decision: whether the SQL becomes the answer.
//
//   1. The sandbox must let it run: more than one statement, a statement other than SELECT, or a call of a forbidden
//      function is never an answer. A call of a function that SQLite does not know is a query that fails, if the method
//      says so, and if the host's connection does not know it either: else the caller would run untrusted SQL.
//   2. It must succeed, if the method requires that. In the papers a query that fails is a wrong answer like any other.
//   3. Its confidence must reach the threshold, if there is one (TrustSQL, Appendix C.2; rs_threshold finds one).
//
// The confidence is the product of the signals, each from 0 to 1: the share of the samples that agree with the answer,
// its MaxProb, exp(-MaxEnt), and error detection's probability that it is right. Signals that the method does not
// provide are left out.
#pragma once

#include <optional>
#include <vector>

#include "nl2sql/method.hpp"
#include "nl2sql/stages/stage.hpp"

namespace trustsql::nl2sql {

// The product of those of `signals` that are in `wanted`; 1 if none is present.
double confidence_of(const Signals& signals, const std::vector<Signal>& wanted);

struct DecideOptions {
  std::vector<Signal> signals = {Signal::votes, Signal::verification};
  std::optional<double> threshold;
  bool must_run = false;
  UnknownFunctions unknown_functions = UnknownFunctions::answer;
};

class DecideStage final : public Stage {
 public:
  explicit DecideStage(DecideOptions options) : options_(std::move(options)) {}
  std::string_view name() const override { return "decide"; }

  // Runs attempt.sql in the sandbox, sets the confidence and the result, or abstains.
  Status run(Attempt& attempt, StageContext& context) const override;

 private:
  DecideOptions options_;
};

}  // namespace trustsql::nl2sql
