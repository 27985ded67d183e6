#include "nl2sql/stages/detect.hpp"

#include "base/text.hpp"
#include "nl2sql/stages/parsing.hpp"
#include "nl2sql/stages/query_trial.hpp"
#include "nl2sql/trace.hpp"
#include "semparse/abstention/error_detector.hpp"

namespace trustsql::nl2sql {

namespace {

// None: nothing may be answered.
std::optional<double> threshold_of(const DetectOptions& options, const semparse::Calibration& calibration) {
  if (options.threshold) return options.threshold;
  if (options.risk) return calibration.risk_threshold(*options.risk);
  if (options.penalty) return calibration.penalty_threshold(*options.penalty);
  return DetectStage::default_threshold;
}

}  // namespace

Status DetectStage::run(Attempt& attempt, StageContext& context) const {
  TracedStep step(attempt, context, name());
  if (!attempt.sql) {
    step.finish({}, "there is no SQL to look at");
    return ok_status();
  }
  step.set_input(*attempt.sql);
  if (attempt.learned) {
    step.finish({}, "not judged: the answer was learned for this question");
    return ok_status();
  }
  TRUSTSQL_ASSIGN_OR_RETURN(const auto model, trained_model(context, "ERROR_M"));
  TRUSTSQL_ASSIGN_OR_RETURN(const auto parsed, parse_question(attempt.question, context));
  TRUSTSQL_ASSIGN_OR_RETURN(const auto sandbox, context.source.lease());
  sandbox->set_stop(context.call.stop);
  TRUSTSQL_ASSIGN_OR_RETURN(
      const auto inputs, semparse::detector_inputs(attempt.question, text_to_run(*attempt.sql, context), parsed->parse,
                                                   *parsed->knowledge, context.catalog, *sandbox, context.dialect));
  const double probability = model->detector->probability(inputs, parsed->parse);
  attempt.signals.verification = probability;
  attempt.confidence = probability;
  const auto threshold = threshold_of(options_, model->detector->calibration);
  const auto verdict = "right with probability " + print_real(probability);
  if (threshold && probability >= *threshold) {
    step.finish({}, verdict, probability);
    return ok_status();
  }
  attempt.abstention = Abstention::error_detected;
  step.finish({},
              "held back: " + verdict + ", and " +
                  (threshold ? "the threshold is " + print_real(*threshold) : "no threshold is safe enough"),
              probability);
  return ok_status();
}

}  // namespace trustsql::nl2sql
