#include "nl2sql/stages/parser_triage.hpp"

#include "nl2sql/stages/parsing.hpp"
#include "nl2sql/trace.hpp"

namespace trustsql::nl2sql {

Status ParserTriageStage::run(Attempt& attempt, StageContext& context) const {
  TracedStep step(attempt, context, name());
  step.set_input(attempt.question);
  TRUSTSQL_ASSIGN_OR_RETURN(const auto parsed, parse_question(attempt.question, context));
  const auto& triage = parsed->parse.triage;
  if (triage.feasible()) {
    step.finish({}, "feasible");
    return ok_status();
  }
  const bool counts_as_task = triage.type == semparse::Feasibility::small_talk && !options_.small_talk;
  const auto type = counts_as_task ? semparse::Feasibility::non_sql : triage.type;
  attempt.abstention = Abstention::infeasible;
  attempt.infeasible_type = semparse::feasibility_name(type);
  attempt.detail = triage.detail;
  attempt.suggestion = triage.suggestion;
  step.finish(triage.suggestion, attempt.infeasible_type + ": " + triage.detail);
  return ok_status();
}

}  // namespace trustsql::nl2sql
