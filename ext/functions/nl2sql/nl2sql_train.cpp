// nl2sql_train: the embedded parser learns from questions of the user's own. nl2sql_synthesize: makes such questions.

#include <chrono>
#include <map>

#include "base/parallel_for.hpp"
#include "db/sources/row_source.hpp"
#include "ext/adaptor/scalar.hpp"
#include "ext/adaptor/table.hpp"
#include "ext/options/schema_options.hpp"
#include "ext/registry.hpp"
#include "ext/services/host_dialect.hpp"
#include "ext/services/llm_service.hpp"
#include "nl2sql/training_source.hpp"
#include "semparse/model/model_file.hpp"
#include "semparse/model/model_store.hpp"
#include "semparse/parser.hpp"
#include "semparse/synthesis/synthesis.hpp"
#include "semparse/training/adapting.hpp"

namespace trustsql::ext {

namespace {

// --- nl2sql_train ---------------------------------------------------------------------------------------------------

constexpr Option<std::optional<std::string>> model_path_option = {
    .key = "path",
    .description =
        "The file to write the model to; by default the one that the setting nl2sql_model names. A model that is there "
        "is replaced, any other file is left alone."};
constexpr Option<std::uint64_t> training_seed_option = {
    .key = "seed",
    .description = "The seed of what is drawn at random: the same seed gives the same bytes.",
    .default_value = semparse::AdaptingOptions::default_seed,
    .min = 0};
constexpr Option<std::size_t> training_folds_option = {
    .key = "folds",
    .description = "How many parts of the questions are left out in turn, to judge what was learned from the others.",
    .default_value = semparse::AdaptingOptions::default_folds,
    .min = 2,
    .max = 20};
constexpr Option<std::int64_t> training_timeout_option = {
    .key = "timeout_ms",
    .description = "Milliseconds after which training is given up, with an error.",
    .default_value = 600'000,
    .min = 1,
    .max = 24 * 3600 * 1000};
constexpr auto training_options = option_table(schema_options, model_path_option, training_seed_option,
                                               training_folds_option, training_timeout_option);

// The databases that the rows name, and the questions about them.
struct TrainingQuestions {
  std::vector<std::shared_ptr<SandboxSource>> databases;
  std::vector<semparse::UserQuestion> questions;
};

Result<TrainingQuestions> open_training_databases(Session& session, const SharedScope& scope, const Options& options,
                                                  const std::vector<nl2sql::TrainingRow>& rows) {
  TrainingQuestions training;
  std::map<std::optional<std::string>, std::size_t> known;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto& row = rows[i];
    const auto [entry, is_new] = known.try_emplace(row.database, training.databases.size());
    if (is_new) {
      auto source = row.database ? session.database().open(*row.database, session.settings(), scope.get())
                                 : source_of(session, scope, options);
      if (!source.ok()) return std::move(source).error().with_prefix("row " + std::to_string(i + 1));
      training.databases.push_back(*std::move(source));
    }
    training.questions.push_back({entry->second, row.question, row.sql, row.written});
  }
  return training;
}

Result<std::string> nl2sql_train(Session& session, const SharedScope& scope, std::string_view source,
                                 const Options& options) {
  const auto begun = std::chrono::steady_clock::now();
  const auto path = options.get(model_path_option).value_or(session.settings().text(Setting::nl2sql_model));
  if (path.empty())
    return invalid_argument("option 'path' or the setting nl2sql_model must name the file to write the model to");
  TRUSTSQL_RETURN_IF_ERROR(semparse::check_model_path(path));
  const auto start = semparse::shipped_model();
  if (start == nullptr) return internal_error("the embedded parser's model cannot be read");
  TRUSTSQL_ASSIGN_OR_RETURN(auto opened, RowSource::open(session.host(), source));
  TRUSTSQL_ASSIGN_OR_RETURN(const auto rows, nl2sql::read_training_rows(std::move(opened)));
  TRUSTSQL_ASSIGN_OR_RETURN(const auto training, open_training_databases(session, scope, options, rows));
  LlmCall call(session);  // for whether the host was interrupted; no server is asked
  semparse::AdaptingOptions adapting{.folds = options.get(training_folds_option),
                                     .seed = options.get(training_seed_option),
                                     .dialect = built_in_dialect()};
  adapting.threads =
      session.database().may_use_threads() ? thread_count(session.settings().integer(Setting::threads)) : 1;
  const auto timeout = options.get(training_timeout_option);
  adapting.deadline = begun + std::chrono::milliseconds(timeout);
  adapting.stop = call.context().stop;
  adapting.progress = [](std::string_view what) {
    sqlite3_log(SQLITE_NOTICE, "nl2sql_train: %.*s", static_cast<int>(what.size()), what.data());
  };
  auto adaptation = semparse::adapt_model(start, training.databases, training.questions, adapting);
  if (!adaptation.ok()) {
    if (adaptation.error().code == ErrorCode::limit_exceeded && std::chrono::steady_clock::now() > *adapting.deadline)
      return limit_exceeded("the training was not finished in " + std::to_string(timeout) +
                            " ms; the option 'timeout_ms' allows more");
    return std::move(adaptation).error();
  }
  const auto bytes = semparse::write_model(adaptation->model, semparse::max_model_weights);
  TRUSTSQL_RETURN_IF_ERROR(semparse::save_model(bytes, path));
  return nl2sql::training_report(*adaptation, rows, path, bytes.size());
}

// --- nl2sql_synthesize ----------------------------------------------------------------------------------------------

constexpr Option<double> synthetic_infeasible_option = {
    .key = "infeasible",
    .description = "The share of questions that cannot be answered, about equally many of each type.",
    .default_value = semparse::SynthesisOptions{}.infeasible,
    .min = 0,
    .max = 1};
constexpr Option<std::uint64_t> synthesis_seed_option = {
    .key = "seed",
    .description = "The seed of what is drawn at random: the same seed gives the same questions.",
    .default_value = semparse::SynthesisOptions{}.seed,
    .min = 0};
constexpr auto synthesis_options = option_table(schema_options, synthetic_infeasible_option, synthesis_seed_option);

Result<ResultSet> nl2sql_synthesize(Session& session, const SharedScope& scope, std::int64_t count,
                                    const Options& options) {
  constexpr std::int64_t max_questions = 10'000;
  if (count < 0 || count > max_questions)
    return invalid_argument("argument 1 (n) must be between 0 and " + std::to_string(max_questions) + ", not " +
                            std::to_string(count));
  TRUSTSQL_ASSIGN_OR_RETURN(const auto source, source_of(session, scope, options));
  TRUSTSQL_ASSIGN_OR_RETURN(const auto catalog, source->catalog());
  TRUSTSQL_ASSIGN_OR_RETURN(const auto sandbox, source->lease());
  sandbox->set_stop([&session] { return session.database().interrupted(); });
  TRUSTSQL_ASSIGN_OR_RETURN(const auto knowledge, semparse::Knowledge::build(*catalog, *sandbox));
  TRUSTSQL_ASSIGN_OR_RETURN(const auto questions,
                            semparse::synthesize(*knowledge, *sandbox,
                                                 {.count = static_cast<std::size_t>(count),
                                                  .infeasible = options.get(synthetic_infeasible_option),
                                                  .seed = options.get(synthesis_seed_option)}));
  const auto database = options.get(database_option);
  ResultSet rows({"question", "sql", "type", "db"});
  for (const auto& each : questions) {
    rows.append(ValueView::of_text(each.question));
    rows.append(each.sql ? ValueView::of_text(*each.sql) : ValueView::null());
    rows.append(each.sql ? ValueView::null() : ValueView::of_text(semparse::feasibility_name(each.type)));
    rows.append(database ? ValueView::of_text(*database) : ValueView::null());
  }
  return rows;
}

}  // namespace

std::span<const FunctionSpec> nl2sql_train_functions() {
  static constexpr FunctionSpec functions[] = {
      scalar<nl2sql_train>(
          {.name = "nl2sql_train",
           .signature = "nl2sql_train(source [, opts])",
           .summary =
               "Trains the embedded parser on questions of your own and writes the model to a file, which the setting "
               "nl2sql_model then names. The source's columns: question, sql (NULL: the question cannot be answered), "
               "and optionally database or db (a path; NULL means this connection's database) and pred (the SQL that "
               "another system wrote, from which ERROR_M learns instead of the parser's). Trained are the choice "
               "among readings, the confidence and its calibration, and TrustSQL's modules CLS_M and ERROR_M, for "
               "methods such as CLS_M->EMBEDDED->ERROR_M. At least 20 questions that can be answered are needed, and "
               "10 that cannot; a query that returns nothing but NULL and 0, if any rows, is not used, since wrong "
               "ones "
               "would look right. Returns JSON: which rows were not used and why, and how questions that were left out "
               "of training would have been answered, in percent. What it has finished goes to SQLite's error log.",
           .example = "SELECT json_extract(nl2sql_train('SELECT question, sql FROM nl2sql_synthesize(40)', "
                      "'{\"path\":\"my.model\"}'), '$.path'); -- my.model",
           .options = training_options,
           .entry_point = EntryPoint::offline,
           .effect = Effect::state}),
      table<nl2sql_synthesize>(
          {.name = "nl2sql_synthesize",
           .signature = "nl2sql_synthesize(n [, opts])",
           .summary =
               "Makes up to n different questions about a database, with the query that answers each, and questions "
               "that cannot be answered, of TrustSQL's five types (sql is NULL, type says which): column-surface, "
               "column-related, column-unrelated, non-sql, ext-know. Each query was run: it returns rows, and every "
               "condition matters. What an infeasible question asks for is linked to nothing that could be meant. A "
               "small database has fewer than n questions.",
           .example = "SELECT count(*) FROM nl2sql_synthesize(20, '{\"infeasible\":0}') WHERE sql IS NULL; -- 0",
           .columns = "question TEXT, sql TEXT, type TEXT, db TEXT",
           .options = synthesis_options,
           .entry_point = EntryPoint::offline,
           .effect = Effect::state}),
  };
  return functions;
}

}  // namespace trustsql::ext
