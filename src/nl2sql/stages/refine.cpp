#include "nl2sql/stages/refine.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "nl2sql/prompts/prompt_parts.hpp"
#include "nl2sql/prompts/prompt_text.hpp"
#include "nl2sql/stages/query_trial.hpp"
#include "nl2sql/trace.hpp"

namespace trustsql::nl2sql {

namespace {

using Conversation = std::vector<llm::Message>;

// The rows as the judge and the trace show them: one tuple per line.
std::string tuples(const ResultSet& rows, std::size_t count) {
  std::string text;
  for (std::size_t row = 0; row < std::min(count, rows.row_count()); ++row) {
    text += row == 0 ? "(" : "\n(";
    for (std::size_t column = 0; column < rows.column_count(); ++column) {
      if (column > 0) text += ", ";
      text += cell_literal(rows.at(row, column));
    }
    text += ")";
  }
  return text;
}

std::string rows_text(std::size_t count) { return std::to_string(count) + (count == 1 ? " row" : " rows"); }

PromptValues error_values(const QueryTrial& trial) {
  PromptValues values;
  values.texts = {{"error", visible_text(trial.error, 1000)},
                  {"column", visible_text(trial.column, 200)},
                  {"table_count", ""},
                  {"tables", ""}};
  if (!trial.column.empty()) {
    std::vector<std::string> names;
    for (const auto& table : trial.tables) names.push_back(visible_text(table, 200));
    values.texts["table_count"] = std::to_string(names.size());
    values.texts["tables"] = join(names, ", ");
  }
  return values;
}

// For a query that was not run, row_count and rows are empty.
PromptValues result_values(const QueryTrial& trial, std::size_t shown) {
  std::vector<std::string> columns;
  for (const auto& name : trial.columns) columns.push_back(visible_text(name, 200));
  PromptValues values;
  values.texts = {{"column_count", std::to_string(columns.size())},
                  {"columns", join(columns, ", ")},
                  {"row_count", ""},
                  {"rows", ""},
                  {"truncated", ""}};
  if (!trial.rows) return values;
  values.texts["row_count"] = std::to_string(trial.rows->row_count());
  values.texts["rows"] = tuples(*trial.rows, shown);
  if (!values.texts["rows"].empty() && trial.rows->row_count() > shown)
    values.texts["truncated"] = std::to_string(shown);
  return values;
}

// Whether the reply begins with Yes. It is asked to begin with Yes or No; anything else counts as No.
bool says_yes(std::string_view reply) {
  while (!reply.empty() &&
         (is_space(reply.front()) || std::string_view("*_#\"'`").find(reply.front()) != std::string_view::npos))
    reply.remove_prefix(1);
  const auto end = std::find_if(reply.begin(), reply.end(),
                                [](char c) { return to_lower_ascii(c) < 'a' || to_lower_ascii(c) > 'z'; });
  return equals_ignore_case(reply.substr(0, static_cast<std::size_t>(end - reply.begin())), "yes");
}

void append(Conversation& conversation, Conversation messages) {
  for (auto& message : messages) conversation.push_back(std::move(message));
}

// Runs attempt.sql, or only prepares it if its result may not be sent; adds a row to the trace.
Result<QueryTrial> run_current(int round, std::size_t shown, Attempt& attempt, StageContext& context) {
  TracedStep step(attempt, context, "refine.run");
  step.set_input(*attempt.sql);
  TRUSTSQL_ASSIGN_OR_RETURN(auto trial, try_for_model(*attempt.sql, context));
  const std::string prefix = "round " + std::to_string(round) + ": ";
  if (trial.rows) {
    step.finish(tuples(*trial.rows, shown), prefix + rows_text(trial.rows->row_count()));
  } else if (trial.ok()) {
    step.finish("", prefix + "prepared but not run, since its result may not be sent (llm_send_rows)");
  } else {
    step.finish(trial.error, prefix + (trial.refused          ? "refused by the sandbox"
                                       : trial.column.empty() ? "it fails"
                                                              : "a column's name is wrong"));
  }
  return trial;
}

// Asks whether the rows, or the columns if rows may not be sent, answer the question. The request and the reply are
// appended to `conversation`.
Result<bool> judge(const QueryTrial& trial, const RefineOptions& options, Conversation& conversation, Attempt& attempt,
                   StageContext& context) {
  TracedStep step(attempt, context, "refine.judge");
  if (!trial.rows) attempt.warn(without_rows("ER judged the SQL without its result"));
  TRUSTSQL_ASSIGN_OR_RETURN(auto question, context.prompts.render("refine.judge", result_values(trial, options.rows)));
  append(conversation, std::move(question));
  step.set_input(conversation_text(conversation));
  TRUSTSQL_ASSIGN_OR_RETURN(auto choices, context.ask({.model = options.judge.model,
                                                       .messages = conversation,
                                                       .temperature = 0,
                                                       .samples = 1,
                                                       .seed = options.judge.seed,
                                                       .max_tokens = options.judge.max_tokens,
                                                       .stop = {}}));
  const bool right = says_yes(choices.front().text);
  conversation.push_back({llm::Role::assistant, choices.front().text});
  step.finish(choices.front().text, right ? "right" : "not right");
  return right;
}

}  // namespace

Status RefineStage::run(Attempt& attempt, StageContext& context) const {
  if (!attempt.sql) return ok_status();
  for (int round = 1; round <= options_.rounds; ++round) {
    Conversation conversation = attempt.prompt;
    conversation.push_back({llm::Role::assistant, *attempt.sql});
    TRUSTSQL_ASSIGN_OR_RETURN(const auto trial, run_current(round, options_.rows, attempt, context));
    if (trial.ok()) {
      TRUSTSQL_ASSIGN_OR_RETURN(const bool right, judge(trial, options_, conversation, attempt, context));
      if (right) return ok_status();
      TRUSTSQL_ASSIGN_OR_RETURN(
          auto revise,
          context.prompts.render("refine.revise", {.texts = {{"question", attempt.current_question()}}, .lists = {}}));
      append(conversation, std::move(revise));
    } else {
      TRUSTSQL_ASSIGN_OR_RETURN(auto error, context.prompts.render("refine.error", error_values(trial)));
      append(conversation, std::move(error));
    }
    TRUSTSQL_ASSIGN_OR_RETURN(const auto abstention, write_sql("refine", conversation, options_.sql, attempt, context));
    if (abstention == Abstention::no_agreement) {
      attempt.abstention = abstention;
      return ok_status();
    }
  }
  return ok_status();
}

}  // namespace trustsql::nl2sql
