#include "nl2sql/generate_sqlprompt.hpp"

#include "nl2sql/prompt_parts.hpp"

namespace trustsql::nl2sql {

Result<std::vector<llm::Message>> SqlPromptGenerator::prompt(Attempt& attempt, StageContext& context) const {
  TRUSTSQL_ASSIGN_OR_RETURN(auto values, basic_values(SchemaStyle::columns_fk, attempt, context));
  TRUSTSQL_ASSIGN_OR_RETURN(values.texts["content"], content_text(static_cast<std::size_t>(rows_), attempt, context));
  values.texts["refusal"] = infeasible_ ? not_answerable : "";
  values.lists["databases"] = {};
  values.lists["examples"] = {};
  return context.prompts.render("generate.sqlprompt", values);
}

}  // namespace trustsql::nl2sql
