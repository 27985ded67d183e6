#include "nl2sql/generate_dail.hpp"

#include "nl2sql/prompt_parts.hpp"

namespace trustsql::nl2sql {

Result<std::vector<llm::Message>> DailGenerator::prompt(Attempt& attempt, StageContext& context) const {
  TRUSTSQL_ASSIGN_OR_RETURN(auto values, basic_values(SchemaStyle::create_table, attempt, context));
  TRUSTSQL_ASSIGN_OR_RETURN(values.texts["content"], content_text(static_cast<std::size_t>(rows_), attempt, context));
  values.texts["row_limit"] = std::to_string(rows_);
  values.texts["has_examples"] = "";
  values.lists["examples"] = {};
  return context.prompts.render("generate.dail", values);
}

}  // namespace trustsql::nl2sql
