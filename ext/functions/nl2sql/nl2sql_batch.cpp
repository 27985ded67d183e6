// nl2sql_batch: the questions of a table or query, many at once; rows are returned as questions finish.

#include <map>

#include "db/sources/row_source.hpp"
#include "ext/adaptor/table.hpp"
#include "ext/functions/nl2sql/nl2sql_pipeline.hpp"
#include "ext/registry.hpp"
#include "nl2sql/question_batch.hpp"

namespace trustsql::ext {

namespace {

constexpr Option<std::optional<std::int64_t>> concurrency_option = {
    .key = "concurrency",
    .description = "The number of concurrent questions; by default the setting llm_concurrency.",
    .min = 1,
    .max = 1024};
constexpr Option<nl2sql::OnRequestError> on_error_option = {
    .key = "on_error",
    .description =
        "The effect of a failure of a question's requests: `error` ends the statement; `abstain` gives that "
        "question the reason endpoint and continues.",
    .default_value = nl2sql::OnRequestError::error,
    .choices = {{"error", nl2sql::OnRequestError::error}, {"abstain", nl2sql::OnRequestError::abstain}}};
constexpr auto nl2sql_batch_options = option_table(nl2sql_options, concurrency_option, on_error_option);

// What questions on one database share.
struct AskedDatabase {
  std::shared_ptr<SandboxSource> source;
  std::shared_ptr<const Catalog> catalog;
  std::shared_ptr<const link::Corpus> corpus;
};

class BatchStream final : public RowStream {
 public:
  // Errors: those of the method, the source, the databases and their corpora.
  static Result<std::unique_ptr<RowStream>> open(Session& session, const SharedScope& scope, std::string_view source,
                                                 const Options& options);

  Result<ResultSet> next() override {
    return batch_->next([this] { return call_ != nullptr && call_->llm().stopped(); });
  }

 private:
  BatchStream() = default;

  Status open_databases(Session& session, const SharedScope& scope, const nl2sql::Method& method,
                        const std::vector<nl2sql::AskedQuestion>& questions);
  Result<AskedDatabase> open_database(Session& session, const SharedScope& scope, const nl2sql::Method& method,
                                      const std::optional<std::string>& path);
  nl2sql::StageContext context_of(std::size_t question);

  SharedScope scope_;  // scope of the statement: sources live as long
  std::unique_ptr<QuestionCall> call_;
  std::map<std::optional<std::string>, AskedDatabase> databases_;
  std::vector<const AskedDatabase*> database_of_;  // by question
  std::unique_ptr<nl2sql::QuestionBatch> batch_;   // last, so that its threads end before other members are destroyed
};

Result<AskedDatabase> BatchStream::open_database(Session& session, const SharedScope& scope,
                                                 const nl2sql::Method& method, const std::optional<std::string>& path) {
  AskedDatabase database;
  if (path) {
    TRUSTSQL_ASSIGN_OR_RETURN(database.source, session.database().open(*path, session.settings(), scope.get()));
    TRUSTSQL_ASSIGN_OR_RETURN(database.catalog, database.source->catalog());
  } else {
    database.source = call_->source();
    database.catalog = call_->catalog();
  }
  TRUSTSQL_ASSIGN_OR_RETURN(database.corpus, corpus_for(method, session, *call_, database.catalog));
  return database;
}

Status BatchStream::open_databases(Session& session, const SharedScope& scope, const nl2sql::Method& method,
                                   const std::vector<nl2sql::AskedQuestion>& questions) {
  for (const auto& question : questions) {
    auto known = databases_.find(question.database);
    if (known == databases_.end()) {
      auto database = open_database(session, scope, method, question.database);
      if (!database.ok())
        return std::move(database).error().with_prefix("row " + std::to_string(database_of_.size() + 1));
      known = databases_.emplace(question.database, *std::move(database)).first;
    }
    database_of_.push_back(&known->second);
  }
  return ok_status();
}

// Called in the batch's threads.
nl2sql::StageContext BatchStream::context_of(std::size_t question) {
  const AskedDatabase& database = *database_of_[question];
  auto context = call_->context(*database.source, *database.catalog);
  context.corpus = database.corpus.get();
  return context;
}

Result<std::unique_ptr<RowStream>> BatchStream::open(Session& session, const SharedScope& scope,
                                                     std::string_view source, const Options& options) {
  TRUSTSQL_ASSIGN_OR_RETURN(const auto method, answering_method_of(session, options));
  TRUSTSQL_ASSIGN_OR_RETURN(auto rows, RowSource::open(session.host(), source));
  const bool names_databases = rows.find("database").has_value();
  if (names_databases && (options.has(database_option) || options.has(schema_option)))
    return invalid_argument(
        "the source has a column 'database', so the options 'database' and 'schema' must not be given");
  std::unique_ptr<BatchStream> stream(new BatchStream());
  stream->scope_ = scope;
  if (method.answers()) {
    TRUSTSQL_ASSIGN_OR_RETURN(stream->call_,
                              QuestionCall::open(session, scope, options, names_databases, method.asks_model()));
  }
  TRUSTSQL_ASSIGN_OR_RETURN(auto questions, nl2sql::read_questions(std::move(rows), options.get(evidence_option)));
  if (method.answers()) TRUSTSQL_RETURN_IF_ERROR(stream->open_databases(session, scope, method, questions));
  const auto requested_concurrency = static_cast<std::size_t>(
      options.get(concurrency_option).value_or(session.settings().integer(Setting::llm_concurrency)));
  const auto concurrency = session.database().may_use_threads() ? requested_concurrency : 1;
  if (method.asks_model()) LlmService::of(session).raise_concurrency(concurrency);
  const auto on_error = options.get(on_error_option);
  stream->batch_ = std::make_unique<nl2sql::QuestionBatch>(
      std::move(questions), method, stream->call_ ? models_of(*stream->call_) : nl2sql::PipelineModels(),
      [self = stream.get()](std::size_t question) { return self->context_of(question); },
      nl2sql::QuestionBatch::Options{.concurrency = concurrency, .on_error = on_error});
  return std::unique_ptr<RowStream>(std::move(stream));
}

Result<std::unique_ptr<RowStream>> nl2sql_batch(Session& session, const SharedScope& scope, std::string_view source,
                                                const Options& options) {
  return BatchStream::open(session, scope, source, options);
}

}  // namespace

std::span<const FunctionSpec> nl2sql_batch_functions() {
  static constexpr FunctionSpec functions[] = {table<nl2sql_batch>(
      {.name = "nl2sql_batch",
       .signature = "nl2sql_batch(source [, opts])",
       .summary = "nl2sql for every row of a table, view or SELECT, llm_concurrency of them at a time; rows are "
                  "returned as they finish. The source's columns: question, and optionally id (by default the number "
                  "of the row), database (a path; NULL means this connection's), evidence. If cache_path is set, an "
                  "interrupted run resumes where it stopped. requests, cached and tokens are the cost of a question, "
                  "ms the time of its steps. raw, cls and error are the parts of a pipeline that rs_report reads: the "
                  "SQL before abstention, and the verdicts of CLS and ERROR.",
       .example = "SELECT id, reason FROM nl2sql_batch('SELECT 7 AS id, ''How many?'' AS question', "
                  "'{\"method\":\"ABSTAIN-ALL\"}'); -- 7 | infeasible",
       .columns = "id, question TEXT, sql TEXT, confidence REAL, reason TEXT, ms REAL, requests INTEGER, cached "
                  "INTEGER, tokens INTEGER, "
                  "raw TEXT, cls TEXT, error TEXT",
       .options = nl2sql_batch_options,
       .entry_point = EntryPoint::offline,
       .effect = Effect::state})};
  return functions;
}

}  // namespace trustsql::ext
