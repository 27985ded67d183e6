// The decision: whether the SQL that there is becomes the answer.
//
//   1. The sandbox must let it run: what is more than one statement, or no SELECT, or calls what it must not, is never
//   an answer.
//   2. It must succeed, where the method asks for that. In the papers a query that fails is a wrong answer like any
//   other.
//   3. Its confidence must reach the threshold, if there is one (TrustSQL, Appendix C.2; rs_threshold finds one).
//
// The confidence is the product of what speaks for the answer, each from 0 to 1: the share of the samples that agree
// with it, its MaxProb, exp(-MaxEnt), error detection's probability that it is right. What the method does not have is
// left out.
#pragma once

#include <optional>
#include <vector>

#include "nl2sql/method.hpp"
#include "nl2sql/stage.hpp"

namespace trustsql::nl2sql {

// The product of `wanted` among `signals`; 1 where none is there.
double confidence_of(const Signals& signals, const std::vector<Signal>& wanted);

struct DecideOptions {
  std::vector<Signal> signals = {Signal::votes, Signal::verification};
  std::optional<double> threshold;
  bool must_run = false;
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
