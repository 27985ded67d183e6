#include "nl2sql/generators/generate_dail.hpp"

#include <algorithm>

#include "nl2sql/prompts/demonstrations.hpp"
#include "nl2sql/prompts/prompt_parts.hpp"
#include "nl2sql/replies/sql_extraction.hpp"

namespace trustsql::nl2sql {

namespace {

using Conversation = std::vector<llm::Message>;
using Examples = std::vector<const Example*>;

bool has_feasible(const ExamplePool* pool) {
  return pool != nullptr && std::any_of(pool->examples().begin(), pool->examples().end(),
                                        [](const Example& example) { return example.feasible(); });
}

Result<Examples> choose(const std::string& preliminary, int count, Attempt& attempt, StageContext& context) {
  return choose_dail_examples(*context.examples, attempt.current_question(), preliminary,
                              static_cast<std::size_t>(count), context.example_embedder, context.call);
}

}  // namespace

Result<Conversation> DailGenerator::prompt_with(const Examples& examples, bool with_rows, Attempt& attempt,
                                                StageContext& context) const {
  TRUSTSQL_ASSIGN_OR_RETURN(auto values, basic_values(SchemaStyle::create_table, attempt, context));
  if (with_rows) {
    TRUSTSQL_ASSIGN_OR_RETURN(values.texts["content"], content_text(rows_, attempt, context));
  }
  values.texts["row_limit"] = std::to_string(rows_.shown);
  values.texts["has_examples"] = examples.empty() ? "" : "yes";
  auto& list = values.lists["examples"];
  for (const auto* example : examples)
    list.push_back({.texts = {{"question", example->question}, {"answer", *example->sql}}, .lists = {}});
  return context.prompts.render("generate.dail", values);
}

Result<std::string> DailGenerator::preliminary_sql(Attempt& attempt, StageContext& context) const {
  TracedStep step(attempt, context, "dail.preliminary");
  TRUSTSQL_ASSIGN_OR_RETURN(const auto examples, choose("", demonstrations_, attempt, context));
  TRUSTSQL_ASSIGN_OR_RETURN(auto conversation, prompt_with(examples, false, attempt, context));
  step.set_input(conversation_text(conversation));
  TRUSTSQL_ASSIGN_OR_RETURN(const auto choices, context.ask({.model = model_.model,
                                                             .messages = std::move(conversation),
                                                             .temperature = 0,
                                                             .samples = 1,
                                                             .seed = model_.seed,
                                                             .max_tokens = model_.max_tokens,
                                                             .stop = {}}));
  auto sql = extract_sql(choices.front().text, {.continues_select = true}).sql;
  step.finish(choices.front().text, sql.empty() ? "no SQL in the reply" : "examples are chosen by this query");
  return sql;
}

Result<Conversation> DailGenerator::prompt(Attempt& attempt, StageContext& context) const {
  Examples examples;
  if (demonstrations_ > 0 && has_feasible(context.examples)) {
    // If there is SQL already, it serves as the preliminary query.
    std::string preliminary = attempt.sql.value_or("");
    if (preliminary.empty()) {
      TRUSTSQL_ASSIGN_OR_RETURN(preliminary, preliminary_sql(attempt, context));
    }
    TRUSTSQL_ASSIGN_OR_RETURN(examples, choose(preliminary, demonstrations_, attempt, context));
  }
  return prompt_with(examples, true, attempt, context);
}

}  // namespace trustsql::nl2sql
