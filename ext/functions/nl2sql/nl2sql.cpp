// nl2sql, nl2sql_ask, nl2sql_trace, nl2sql_refine: one question.

#include "base/text.hpp"
#include "db/results/result_json.hpp"
#include "ext/adaptor/scalar.hpp"
#include "ext/adaptor/table.hpp"
#include "ext/functions/nl2sql/nl2sql_pipeline.hpp"
#include "ext/registry.hpp"
#include "nl2sql/generators/generate.hpp"
#include "nl2sql/stages/refine.hpp"

namespace trustsql::ext {

namespace {

ValueView text_or_null(std::string_view text) { return text.empty() ? ValueView::null() : ValueView::of_text(text); }

// --- nl2sql ---------------------------------------------------------------------------------------------------------

Result<std::optional<std::string>> nl2sql_function(Session& session, const SharedScope& scope,
                                                   std::string_view question, const Options& options) {
  TRUSTSQL_ASSIGN_OR_RETURN(auto attempt, ask_question(session, scope, question, options));
  return std::move(attempt.sql);
}

// --- nl2sql_ask -----------------------------------------------------------------------------------------------------

constexpr Option<std::size_t> answer_rows_option = {
    .key = "answer_rows",
    .description = "Maximum number of rows of the answer that are returned.",
    .default_value = 1'000,
    .min = 0,
    .max = 1'000'000};
constexpr auto ask_options = option_table(nl2sql_options, answer_rows_option);

Result<ResultSet> nl2sql_ask(Session& session, const SharedScope& scope, std::string_view question,
                             const Options& options) {
  TRUSTSQL_ASSIGN_OR_RETURN(const auto attempt, ask_question(session, scope, question, options));
  const auto max_rows = options.get(answer_rows_option);
  ResultSet row(
      {"sql", "confidence", "reason", "suggestion", "columns", "rows", "row_count", "error", "warning", "reading"});
  row.append(attempt.sql ? ValueView::of_text(*attempt.sql) : ValueView::null());
  row.append(attempt.sql ? ValueView::of_real(attempt.confidence) : ValueView::null());
  row.append(text_or_null(reason_of(attempt)));
  row.append(text_or_null(attempt.suggestion));
  row.append(attempt.result ? ValueView::of_text(column_names_json(*attempt.result)) : ValueView::null());
  row.append(attempt.result ? ValueView::of_text(rows_json(*attempt.result, max_rows)) : ValueView::null());
  row.append(attempt.result ? ValueView::of_integer(static_cast<std::int64_t>(attempt.result->row_count()))
                            : ValueView::null());
  row.append(text_or_null(attempt.error));
  const auto warning = join(attempt.warnings, "; ");
  row.append(text_or_null(warning));
  row.append(text_or_null(attempt.reading));
  return row;
}

// --- nl2sql_trace ---------------------------------------------------------------------------------------------------

Result<ResultSet> nl2sql_trace(Session& session, const SharedScope& scope, std::string_view question,
                               const Options& options) {
  TRUSTSQL_ASSIGN_OR_RETURN(const auto attempt, ask_question(session, scope, question, options));
  ResultSet rows({"stage", "input", "output", "decision", "confidence", "ms", "requests", "cached", "tokens"});
  for (const auto& row : attempt.trace) {
    rows.append(ValueView::of_text(row.stage));
    rows.append(text_or_null(row.input));
    rows.append(text_or_null(row.output));
    rows.append(text_or_null(row.decision));
    rows.append(row.confidence ? ValueView::of_real(*row.confidence) : ValueView::null());
    rows.append(ValueView::of_real(row.ms));
    rows.append(ValueView::of_integer(row.requests));
    rows.append(ValueView::of_integer(row.cached));
    rows.append(ValueView::of_integer(row.tokens));
  }
  return rows;
}

// --- nl2sql_refine --------------------------------------------------------------------------------------------------

Result<std::optional<std::string>> nl2sql_refine(Session& session, const SharedScope& scope, std::string_view question,
                                                 std::string_view sql, const Options& options) {
  TRUSTSQL_ASSIGN_OR_RETURN(auto method, method_of(session, options));
  if (!method.answers()) return std::optional<std::string>();
  if (!method.asks_model())
    return invalid_argument("the method EMBEDDED asks no language model, which refinement needs");
  method.forbid = true;
  TRUSTSQL_ASSIGN_OR_RETURN(const auto call, QuestionCall::open(session, scope, options));
  const auto models = models_of(*call);
  auto context = call->context();
  context.dataset = method.dataset;
  auto attempt = call->attempt(question);
  attempt.sql = sql;
  TRUSTSQL_RETURN_IF_ERROR(nl2sql::PromptStage(nl2sql::make_generator(method, models.generate)).run(attempt, context));
  TRUSTSQL_RETURN_IF_ERROR(nl2sql::RefineStage(nl2sql::refine_options(method, models)).run(attempt, context));
  return attempt.abstained() ? std::optional<std::string>() : attempt.sql;
}

}  // namespace

std::span<const FunctionSpec> nl2sql_functions() {
  static constexpr FunctionSpec functions[] = {
      scalar<nl2sql_function>(
          {.name = "nl2sql",
           .signature = "nl2sql(question [, opts])",
           .summary = "One SELECT statement that answers the question, or NULL if it abstains (nl2sql_ask gives the "
                      "reason). SQL written by the model runs only in the sandbox.",
           .example = "SELECT nl2sql('How many singers are there?', '{\"method\":\"ABSTAIN-ALL\"}') IS NULL; -- 1",
           .options = nl2sql_options,
           .entry_point = EntryPoint::offline,
           .effect = Effect::state}),
      table<nl2sql_ask>(
          {.name = "nl2sql_ask",
           .signature = "nl2sql_ask(question [, opts])",
           .summary =
               "One row: the SQL and its confidence, 0 to 1; or the reason for abstaining, and a suggestion. "
               "For an answer also the names of its columns and its rows as JSON arrays, the number of rows, "
               "and SQLite's message if the query fails. warning: what the method could not do as it should, such "
               "as show rows that llm_send_rows keeps from the server. reading: what the query returns, in words, "
               "where the embedded parser wrote it. Reasons: infeasible (and its type), no_sql, "
               "not_allowed, query_failed, no_agreement, error_detected, low_confidence, not_understood, ambiguous, "
               "not_grounded.",
           .example = "SELECT sql IS NULL, reason FROM nl2sql_ask('How many singers are there?', "
                      "'{\"method\":\"ABSTAIN-ALL\"}'); -- 1 | infeasible",
           .columns = "sql TEXT, confidence REAL, reason TEXT, suggestion TEXT, columns TEXT, rows TEXT, row_count "
                      "INTEGER, error TEXT, warning TEXT, reading TEXT",
           .options = ask_options,
           .entry_point = EntryPoint::offline,
           .effect = Effect::state}),
      table<nl2sql_trace>(
          {.name = "nl2sql_trace",
           .signature = "nl2sql_trace(question [, opts])",
           .summary = "A row for each step of the pipeline: the prompt or other input, the reply or other output, the "
                      "decision (including what the sandbox rejected), confidence, milliseconds, requests that were "
                      "sent, requests that the cache answered, tokens.",
           .example = "SELECT stage FROM nl2sql_trace('How many singers are there?', "
                      "'{\"method\":\"ABSTAIN-ALL\"}'); -- abstain",
           .columns = "stage TEXT, input TEXT, output TEXT, decision TEXT, confidence REAL, ms REAL, "
                      "requests INTEGER, cached INTEGER, "
                      "tokens INTEGER",
           .options = nl2sql_options,
           .entry_point = EntryPoint::offline,
           .effect = Effect::state}),
      scalar<nl2sql_refine>(
          {.name = "nl2sql_refine",
           .signature = "nl2sql_refine(question, sql [, opts])",
           .summary = "The SQL after execution-guided refinement (DART-SQL's ER, Algorithm 1): it is run, and the "
                      "model fixes it by means of the error or judges its result, up to R rounds. The prompt is that "
                      "of the method's base. NULL if the votes do not agree.",
           .example = "SELECT nl2sql_refine('How many?', NULL) IS NULL; -- 1",
           .options = nl2sql_options,
           .entry_point = EntryPoint::full,
           .effect = Effect::state}),
  };
  return functions;
}

}  // namespace trustsql::ext
