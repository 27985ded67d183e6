#include "nl2sql/prompts/prompt_parts.hpp"

#include <algorithm>

#include "nl2sql/content/content_rows.hpp"
#include "nl2sql/prompts/prompt_text.hpp"

namespace trustsql::nl2sql {

namespace {

Result<ContentReader> open_reader(StageContext& context, const ContentLimits& limits = {}) {
  return ContentReader::open(context.source, context.catalog, context.content, context.call.stop, limits);
}

}  // namespace

std::string without_rows(std::string_view what) {
  return std::string(what) + ", since llm_send_rows keeps rows from the server";
}

Result<PromptValues> basic_values(SchemaStyle style, Attempt& attempt, StageContext& context) {
  PromptValues values;
  values.texts = {{"question", attempt.current_question()}, {"evidence", attempt.evidence}, {"content", ""}};
  if (style == SchemaStyle::create_table_select_col3 && context.send_rows) {
    TRUSTSQL_ASSIGN_OR_RETURN(auto reader, open_reader(context));
    TRUSTSQL_ASSIGN_OR_RETURN(const auto column_values, read_column_values(reader, attempt.schema));
    values.texts["schema"] = schema_text(context.catalog, attempt.schema, style, &column_values);
  } else {
    if (style == SchemaStyle::create_table_select_col3)
      attempt.warn(without_rows("the schema was shown without values"));
    values.texts["schema"] = schema_text(context.catalog, attempt.schema, style);
  }
  return values;
}

ContextRows ContextRows::of(const Method& method) {
  if (!method.context_rows) return {};
  return {.shown = static_cast<std::size_t>(method.content_rows),
          .ranked = static_cast<std::size_t>(method.ranked_rows)};
}

Result<std::string> content_text(const ContextRows& rows, Attempt& attempt, StageContext& context) {
  if (rows.shown == 0) return std::string();
  if (!context.send_rows) {
    attempt.warn(without_rows("CAP showed no rows"));
    return std::string();
  }
  TRUSTSQL_ASSIGN_OR_RETURN(auto reader, open_reader(context, ContentLimits::of(std::max(rows.ranked, rows.shown))));
  TRUSTSQL_ASSIGN_OR_RETURN(const auto tables,
                            relevant_rows(reader, attempt.schema, attempt.current_question(), {.count = rows.shown},
                                          context.word_embedder, context.call));
  std::string text;
  for (const auto& table : tables) {
    if (!text.empty()) text += "\n";
    text += insert_text(context.catalog, table);
    attempt.warn(ranking_warning(context.catalog, table));
  }
  return text;
}

Result<std::vector<std::string>> ask_text(TracedStep& step, std::string_view prompt, const PromptValues& values,
                                          const ModelOptions& model, int samples, StageContext& context) {
  TRUSTSQL_ASSIGN_OR_RETURN(auto conversation, context.prompts.render(prompt, values));
  step.set_input(conversation_text(conversation));
  TRUSTSQL_ASSIGN_OR_RETURN(auto choices, context.ask({.model = model.model,
                                                       .messages = std::move(conversation),
                                                       .temperature = samples > 1 ? 1.0 : 0.0,
                                                       .samples = samples,
                                                       .seed = model.seed,
                                                       .max_tokens = model.max_tokens,
                                                       .stop = {}}));
  std::vector<std::string> texts;
  for (auto& choice : choices) texts.push_back(std::move(choice.text));
  return texts;
}

}  // namespace trustsql::nl2sql
