#include "nl2sql/stages/classify.hpp"

#include "base/text.hpp"
#include "nl2sql/stages/parsing.hpp"
#include "nl2sql/trace.hpp"

namespace trustsql::nl2sql {

Status ClassifyStage::run(Attempt& attempt, StageContext& context) const {
  TracedStep step(attempt, context, name());
  step.set_input(attempt.question);
  TRUSTSQL_ASSIGN_OR_RETURN(const auto model, trained_model(context, "CLS_M"));
  TRUSTSQL_ASSIGN_OR_RETURN(const auto parsed, parse_question(attempt.question, context));
  const auto& parse = parsed->parse;
  const double probability =
      model->classifier->probability(semparse::read_question(attempt.question), parse.question_inputs);
  const auto sure = print_real(probability);
  if (probability >= options_.min_probability) {
    step.finish({}, "answerable with probability " + sure, probability);
    return ok_status();
  }
  attempt.abstention = Abstention::infeasible;
  if (!parse.triage.feasible()) {
    attempt.infeasible_type = semparse::feasibility_name(parse.triage.type);
    attempt.detail = parse.triage.detail;
  }
  attempt.suggestion = parse.triage.suggestion;
  step.finish(attempt.infeasible_type, "not answerable: answerable with probability " + sure + " only", probability);
  return ok_status();
}

}  // namespace trustsql::nl2sql
