#include "nl2sql/generators/generate_sqlprompt.hpp"

#include "nl2sql/prompts/prompt_parts.hpp"

namespace trustsql::nl2sql {

SqlPromptGenerator::SqlPromptGenerator(const Method& method)
    : rows_(ContextRows::of(method)),
      infeasible_(method.infeasible_examples),
      counts_(sqlprompt_counts(method.infeasible_examples)) {
  counts_.feasible = static_cast<std::size_t>(method.demonstrations);
  counts_.databases = static_cast<std::size_t>(method.other_databases);
  counts_.feasible_each = static_cast<std::size_t>(method.other_examples);
  counts_.infeasible = infeasible_ ? counts_.feasible : 0;
  counts_.infeasible_each = infeasible_ ? counts_.feasible_each : 0;
}

Result<std::vector<llm::Message>> SqlPromptGenerator::prompt(Attempt& attempt, StageContext& context) const {
  TRUSTSQL_ASSIGN_OR_RETURN(auto values, basic_values(SchemaStyle::columns_fk, attempt, context));
  TRUSTSQL_ASSIGN_OR_RETURN(values.texts["content"], content_text(rows_, attempt, context));
  values.texts["refusal"] = infeasible_ ? not_answerable : "";
  Demonstrations demonstrations;
  if (context.examples != nullptr && !context.examples->examples().empty()) {
    TRUSTSQL_ASSIGN_OR_RETURN(demonstrations, choose_demonstrations(*context.examples, attempt.current_question(),
                                                                    counts_, context.example_embedder, context.call));
    TRUSTSQL_RETURN_IF_ERROR(add_demonstrations(values, demonstrations, *context.examples, SchemaStyle::columns_fk,
                                                context.send_rows, "", not_answerable, context.call));
  } else {
    values.lists["databases"] = {};
    values.lists["examples"] = {};
  }
  return context.prompts.render("generate.sqlprompt", values);
}

}  // namespace trustsql::nl2sql
