#include "nl2sql/stages/ground.hpp"

#include "base/text.hpp"
#include "nl2sql/stages/parsing.hpp"
#include "nl2sql/stages/query_trial.hpp"
#include "nl2sql/trace.hpp"
#include "semparse/grounding/grounding.hpp"
#include "sql/parser.hpp"

namespace trustsql::nl2sql {

namespace {

std::string roles_text(const semparse::Grounding& grounding) {
  std::string text;
  for (const auto& violation : grounding.violations)
    text += std::string(semparse::rule_name(violation.rule)) + ": " + violation.detail + "\n";
  for (const auto& value : grounding.misspelt) text += "misspelt: " + value.detail + "\n";
  const auto add = [&text](std::string_view what, const std::vector<std::string>& list) {
    if (list.empty()) return;
    text += what;
    for (const auto& each : list) text += " " + quote_for_message(each, 60);
    text += "\n";
  };
  add("words without a role:", grounding.without_role);
  add("columns that the question does not name:", grounding.without_licence);
  if (!text.empty()) text.pop_back();
  return text;
}

}  // namespace

Status GroundStage::run(Attempt& attempt, StageContext& context) const {
  TracedStep step(attempt, context, name());
  if (!attempt.sql) {
    step.finish({}, "there is no SQL to look at");
    return ok_status();
  }
  step.set_input(*attempt.sql);
  const auto query = parse_query(text_to_run(*attempt.sql, context));
  if (!query.ok()) {
    step.finish({}, "not checked: the SQL does not parse");
    return ok_status();
  }
  const auto resolution = resolve(*query, context.catalog, context.dialect);
  if (!resolution.ok()) {
    step.finish({}, "not checked: the SQL does not resolve");
    return ok_status();
  }
  TRUSTSQL_ASSIGN_OR_RETURN(const auto knowledge, knowledge_of(context));
  const auto grounding = semparse::ground(attempt.question, *query, *resolution, *knowledge, attempt.evidence);
  if (grounding.violations.empty() && grounding.misspelt.empty()) {
    step.finish(roles_text(grounding), "grounded");
    return ok_status();
  }
  attempt.abstention = Abstention::not_grounded;
  if (!grounding.misspelt.empty()) {
    attempt.detail = grounding.misspelt.front().detail;
    attempt.suggestion = grounding.misspelt.front().suggestion;
  } else {
    attempt.detail = grounding.violations.front().detail;
  }
  step.finish(roles_text(grounding), "held back: " + attempt.detail);
  return ok_status();
}

}  // namespace trustsql::nl2sql
