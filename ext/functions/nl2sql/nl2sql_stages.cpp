// nl2sql_triage, nl2sql_rewrite, nl2sql_verify: single stages of the pipeline. nl2sql_learn: examples for them.

#include <algorithm>

#include "base/text.hpp"
#include "db/stores/examples_table.hpp"
#include "ext/adaptor/scalar.hpp"
#include "ext/functions/nl2sql/nl2sql_call.hpp"
#include "ext/registry.hpp"
#include "ext/services/host_dialect.hpp"
#include "nl2sql/stages/parser_triage.hpp"
#include "nl2sql/stages/rewrite.hpp"
#include "nl2sql/stages/triage.hpp"
#include "nl2sql/stages/verify.hpp"
#include "sql/parser.hpp"
#include "sql/query_check.hpp"

namespace trustsql::ext {

namespace {

// --- nl2sql_triage --------------------------------------------------------------------------------------------------

constexpr Option<bool> small_talk_option = {
    .key = "small_talk",
    .description = "true: small talk gets the type small-talk; false: it counts as non-sql.",
    .default_value = false};
constexpr Option<std::uint64_t> triage_seed_option = {
    .key = "seed", .description = "The seed for drawing and ordering the examples.", .default_value = 0, .min = 0};
constexpr auto triage_options = option_table(question_options, small_talk_option, triage_seed_option);

Result<std::string> nl2sql_triage(Session& session, const SharedScope& scope, std::string_view question,
                                  const Options& options) {
  const bool asks_model = LlmService::of(session).has_chat();
  TRUSTSQL_ASSIGN_OR_RETURN(const auto call, QuestionCall::open(session, scope, options, false, asks_model));
  auto attempt = call->attempt(question);
  auto context = call->context();
  if (!asks_model) {
    const nl2sql::ParserTriageStage stage({.small_talk = options.get(small_talk_option)});
    TRUSTSQL_RETURN_IF_ERROR(stage.run(attempt, context));
    return attempt.abstained() ? attempt.infeasible_type : std::string("feasible");
  }
  nl2sql::TriageOptions triage{.model = call->model(Setting::llm_model_triage), .type = true};
  triage.small_talk = options.get(small_talk_option);
  triage.demonstrations.seed = options.get(triage_seed_option);
  TRUSTSQL_RETURN_IF_ERROR(nl2sql::TriageStage(triage).run(attempt, context));
  if (!attempt.abstained()) return std::string("feasible");
  return attempt.infeasible_type.empty() ? std::string("infeasible") : attempt.infeasible_type;
}

// --- nl2sql_rewrite -------------------------------------------------------------------------------------------------

constexpr Option<std::size_t> rows_seen_option = {
    .key = "rows",
    .description = "K: how many of the first rows of each table the model sees.",
    .default_value = nl2sql::MethodNumbers{}.rewrite_rows,
    .min = 0,
    .max = 1'000};
constexpr auto rewrite_options = option_table(schema_options, evidence_option, rows_seen_option);

Result<std::string> nl2sql_rewrite(Session& session, const SharedScope& scope, std::string_view question,
                                   const Options& options) {
  TRUSTSQL_ASSIGN_OR_RETURN(const auto call, QuestionCall::open(session, scope, options));
  nl2sql::RewriteOptions rewrite{.model = call->model(Setting::llm_model_rewrite)};
  rewrite.rows = options.get(rows_seen_option);
  auto attempt = call->attempt(question);
  auto context = call->context();
  TRUSTSQL_RETURN_IF_ERROR(nl2sql::RewriteStage(rewrite).run(attempt, context));
  return attempt.current_question();
}

// --- nl2sql_verify --------------------------------------------------------------------------------------------------

constexpr auto verify_options = option_table(schema_options, evidence_option);

Result<double> nl2sql_verify(Session& session, const SharedScope& scope, std::string_view question,
                             std::string_view sql, const Options& options) {
  TRUSTSQL_ASSIGN_OR_RETURN(const auto call, QuestionCall::open(session, scope, options));
  auto attempt = call->attempt(question);
  attempt.sql = sql;
  auto context = call->context();
  TRUSTSQL_RETURN_IF_ERROR(
      nl2sql::VerifyStage({.model = call->model(Setting::llm_model_verify)}).run(attempt, context));
  return attempt.signals.verification.value_or(0);
}

// --- nl2sql_learn ---------------------------------------------------------------------------------------------------

constexpr Option<std::optional<std::string>> learned_type_option = {
    .key = "type",
    .description = "Why the question cannot be answered.",
    .choices = {"column-surface", "column-related", "column-unrelated", "non-sql", "ext-know", "ambiguous",
                "small-talk"}};
constexpr Option<std::optional<std::string>> learned_database_option = {
    .key = "db",
    .description = "The name of another database that the question is about; by default it is this connection's."};
constexpr Option<std::optional<std::string>> learned_schema_option = {
    .key = "schema", .description = "The schema of that other database, as DDL text."};
constexpr auto learn_options = option_table(learned_type_option, learned_database_option, learned_schema_option);

// An example must be valid: its query is one SELECT that prepares on the schema that it is about, if that schema is
// known.
Status check_example(Session& session, const SharedScope& scope, std::string_view sql, const Options& options) {
  const auto parsed = parse_query(sql, built_in_dialect().grammar());
  if (!parsed.ok()) return invalid_argument("sql is not a query: " + parsed.error().message);
  if (options.has(learned_database_option) && !options.has(learned_schema_option)) return ok_status();
  const auto schema = options.get(learned_schema_option);
  TRUSTSQL_ASSIGN_OR_RETURN(const auto source, schema ? session.database().open_schema(*schema, session.settings())
                                                      : session.database().open_host(session.settings(), scope.get()));
  TRUSTSQL_ASSIGN_OR_RETURN(const auto catalog, source->catalog());
  auto problem = check_query(sql, *catalog, built_in_dialect());
  if (problem) {
    TRUSTSQL_ASSIGN_OR_RETURN(auto dialect, HostDialect::read(session.host()));
    problem = check_query(sql, *catalog, dialect.options());
  }
  if (problem) return invalid_argument("sql does not prepare: " + problem->message);
  return ok_status();
}

Result<std::int64_t> nl2sql_learn(Session& session, const SharedScope& scope, std::string_view question,
                                  const std::optional<std::string_view>& sql, const Options& options) {
  if (trim(question).empty()) return invalid_argument("argument 1 (question) is empty");
  if (sql && options.has(learned_type_option))
    return invalid_argument("option 'type' says why a question cannot be answered; it requires that sql is NULL");
  if (options.has(learned_schema_option) && !options.has(learned_database_option))
    return invalid_argument("option 'schema' requires option 'db', the name of that database");
  if (sql) TRUSTSQL_RETURN_IF_ERROR(check_example(session, scope, *sql, options));
  return ExamplesTable(session.host())
      .put({.question = std::string(question),
            .sql = sql ? std::optional<std::string>(*sql) : std::nullopt,
            .type = options.get(learned_type_option),
            .database = options.get(learned_database_option),
            .schema = options.get(learned_schema_option)});
}

}  // namespace

std::span<const FunctionSpec> nl2sql_stage_functions() {
  static constexpr FunctionSpec functions[] = {
      scalar<nl2sql_learn>(
          {.name = "nl2sql_learn",
           .signature = "nl2sql_learn(question, sql [, opts])",
           .summary =
               "Stores a verified example in the table trustsql_examples of this connection's database, creating the "
               "table if it does not exist, and returns the example's id; a NULL sql means that the question cannot be "
               "answered. The same question stored for the same database is replaced. The query must prepare. Call it "
               "at top level: if its value is not needed, SQLite may skip the call.",
           .example = "SELECT nl2sql_learn('How many tables are there?', 'SELECT count(*) FROM sqlite_schema'); -- 1",
           .options = learn_options,
           .entry_point = EntryPoint::offline,
           .effect = Effect::state}),
      scalar<nl2sql_triage>({.name = "nl2sql_triage",
                             .signature = "nl2sql_triage(question [, opts])",
                             .summary =
                                 "Whether the database can answer a question (TrustSQL's CLS): 'feasible', or "
                                 "why not: column-surface, column-related, column-unrelated, non-sql, ext-know, "
                                 "ambiguous, small-talk; 'infeasible' if the model names no reason. Where no server "
                                 "is configured, the embedded parser judges (without examples).",
                             .example = "SELECT nl2sql_triage(NULL) IS NULL; -- 1",
                             .options = triage_options,
                             .entry_point = EntryPoint::offline,
                             .effect = Effect::state}),
      scalar<nl2sql_rewrite>(
          {.name = "nl2sql_rewrite",
           .signature = "nl2sql_rewrite(question [, opts])",
           .summary = "The question rewritten in the words of the data (DART-SQL's RW); if llm_send_rows allows it, "
                      "the model sees the first rows of all tables. A clear question is returned unchanged.",
           .example = "SELECT nl2sql_rewrite(NULL) IS NULL; -- 1",
           .options = rewrite_options,
           .entry_point = EntryPoint::full,
           .effect = Effect::state}),
      scalar<nl2sql_verify>({.name = "nl2sql_verify",
                             .signature = "nl2sql_verify(question, sql [, opts])",
                             .summary = "The probability, 0 to 1, that the query answers the question (TrustSQL's "
                                        "ERROR): from the log-probabilities of the model's one-word reply if the "
                                        "server returns them, else 1 or 0. The query is not run.",
                             .example = "SELECT nl2sql_verify('How many?', NULL) IS NULL; -- 1",
                             .options = verify_options,
                             .entry_point = EntryPoint::full,
                             .effect = Effect::state}),
  };
  return functions;
}

}  // namespace trustsql::ext
