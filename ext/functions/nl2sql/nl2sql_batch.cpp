// nl2sql_batch: the questions of a table or query, many at once; rows are returned as questions finish.

#include <atomic>
#include <map>

#include "base/text.hpp"
#include "db/sources/source.hpp"
#include "ext/adaptor/table.hpp"
#include "ext/functions/nl2sql/nl2sql_pipeline.hpp"
#include "ext/registry.hpp"
#include "nl2sql/batch.hpp"

namespace trustsql::ext {

namespace {

enum class OnRequestError { error, abstain };

constexpr Option<std::optional<std::int64_t>> concurrency_option = {
    .key = "concurrency",
    .description = "The number of concurrent questions; by default the setting llm_concurrency.",
    .min = 1,
    .max = 1024};
constexpr Option<OnRequestError> on_error_option = {
    .key = "on_error",
    .description =
        "The effect of a failure of a question's requests: `error` ends the statement; `abstain` gives that "
        "question the reason endpoint and continues.",
    .default_value = OnRequestError::error,
    .choices = {{"error", OnRequestError::error}, {"abstain", OnRequestError::abstain}}};
constexpr auto nl2sql_batch_options = option_table(nl2sql_options, concurrency_option, on_error_option);

// What questions on one database share.
struct AskedDatabase {
  std::shared_ptr<SandboxSource> source;
  std::shared_ptr<const Catalog> catalog;
  std::shared_ptr<const link::Corpus> corpus;
};

struct AskedRow {
  Value id;
  std::string question;
  std::string evidence;
  const AskedDatabase* database = nullptr;  // null if the method asks no model
};

class BatchStream final : public RowStream {
 public:
  static Result<std::unique_ptr<RowStream>> open(Session& session, const SharedScope& scope, std::string_view source,
                                                 const Options& options);

  ~BatchStream() override { cancelled_ = true; }

  Result<ResultSet> next() override;

 private:
  explicit BatchStream(nl2sql::Method method) : method_(std::move(method)) {}

  Status read(Session& session, const SharedScope& scope, Source source, const Options& options);
  Result<const AskedDatabase*> database(Session& session, const SharedScope& scope,
                                        const std::optional<std::string>& path);
  Result<nl2sql::Attempt> attempt(std::size_t index);

  nl2sql::Method method_;
  SharedScope scope_;  // scope of the statement: sources live as long
  std::unique_ptr<QuestionCall> call_;
  std::unique_ptr<nl2sql::Pipeline> pipeline_;
  std::map<std::optional<std::string>, AskedDatabase> databases_;
  std::vector<AskedRow> rows_;
  std::string evidence_;  // for rows that have none
  bool abstain_on_error_ = false;
  std::atomic<bool> cancelled_ = false;
  std::unique_ptr<nl2sql::Batch> batch_;  // last, so that its threads end before other members are destroyed
};

Result<const AskedDatabase*> BatchStream::database(Session& session, const SharedScope& scope,
                                                   const std::optional<std::string>& path) {
  if (!method_.asks_model()) return nullptr;
  const auto known_database = databases_.find(path);
  if (known_database != databases_.end()) return &known_database->second;
  AskedDatabase database;
  if (path) {
    TRUSTSQL_ASSIGN_OR_RETURN(database.source, session.database().open(*path, session.settings(), scope.get()));
    TRUSTSQL_ASSIGN_OR_RETURN(database.catalog, database.source->catalog());
  } else {
    database.source = call_->source();
    database.catalog = call_->catalog();
  }
  TRUSTSQL_ASSIGN_OR_RETURN(database.corpus, corpus_for(method_, session, *call_, database.catalog));
  return &databases_.emplace(path, std::move(database)).first->second;
}

Status BatchStream::read(Session& session, const SharedScope& scope, Source source, const Options& options) {
  TRUSTSQL_ASSIGN_OR_RETURN(const int question, source.require("question"));
  const auto id = source.find("id");
  const auto path = source.find("database");
  const auto evidence = source.find("evidence");
  if (path && (options.has(database_option) || options.has(schema_option)))
    return invalid_argument("the source has a column database, but the options name a database or schema as well");
  const auto text_at = [&](const std::optional<int>& column) {
    return column && !source.at(*column).is_null() ? std::optional(format_value(source.at(*column))) : std::nullopt;
  };
  for (std::int64_t number = 1;; ++number) {
    TRUSTSQL_ASSIGN_OR_RETURN(const bool more, source.next());
    if (!more) return ok_status();
    const auto asked = text_at(question);
    if (!asked) return invalid_argument("row " + std::to_string(number) + " of the source has no question");
    AskedRow row;
    row.id = id ? to_value(source.at(*id)) : Value(number);
    row.question = *asked;
    row.evidence = text_at(evidence).value_or(evidence_);
    auto row_database = database(session, scope, text_at(path));
    if (!row_database.ok()) return std::move(row_database).error().with_prefix("row " + std::to_string(number));
    row.database = *row_database;
    rows_.push_back(std::move(row));
  }
}

Result<std::unique_ptr<RowStream>> BatchStream::open(Session& session, const SharedScope& scope,
                                                     std::string_view source, const Options& options) {
  TRUSTSQL_ASSIGN_OR_RETURN(auto method, method_of(session, options));
  TRUSTSQL_ASSIGN_OR_RETURN(auto questions, Source::open(session.host(), source));
  std::unique_ptr<BatchStream> stream(new BatchStream(std::move(method)));
  stream->scope_ = scope;
  stream->evidence_ = options.get(evidence_option);
  stream->abstain_on_error_ = options.get(on_error_option) == OnRequestError::abstain;
  if (stream->method_.asks_model()) {
    TRUSTSQL_ASSIGN_OR_RETURN(stream->call_,
                              QuestionCall::open(session, scope, options, questions.find("database").has_value()));
    stream->pipeline_ = std::make_unique<nl2sql::Pipeline>(stream->method_, models_of(*stream->call_));
  }
  TRUSTSQL_RETURN_IF_ERROR(stream->read(session, scope, std::move(questions), options));
  const auto requested_concurrency = static_cast<std::size_t>(
      options.get(concurrency_option).value_or(session.settings().integer(Setting::llm_concurrency)));
  const auto concurrency = sqlite3_threadsafe() == 0 ? 1 : requested_concurrency;
  if (stream->method_.asks_model()) LlmService::of(session).raise_concurrency(concurrency);
  stream->batch_ = std::make_unique<nl2sql::Batch>(
      stream->rows_.size(), concurrency, [self = stream.get()](std::size_t index) { return self->attempt(index); });
  return std::unique_ptr<RowStream>(std::move(stream));
}

// Called in the batch's threads.
Result<nl2sql::Attempt> BatchStream::attempt(std::size_t index) {
  const auto& row = rows_[index];
  nl2sql::Attempt attempt;
  attempt.question = row.question;
  attempt.evidence = row.evidence;
  if (row.database == nullptr) {
    nl2sql::abstain_from(attempt);
    return attempt;
  }
  auto context = call_->context(*row.database->source, *row.database->catalog);
  context.call.stop = [this, stop = std::move(context.call.stop)] { return cancelled_.load() || (stop && stop()); };
  context.corpus = row.database->corpus.get();
  TRUSTSQL_RETURN_IF_ERROR(pipeline_->run(attempt, context));
  return attempt;
}

Result<ResultSet> BatchStream::next() {
  ResultSet row(
      {"id", "question", "sql", "confidence", "reason", "ms", "requests", "cached", "tokens", "raw", "cls", "error"});
  TRUSTSQL_ASSIGN_OR_RETURN(auto finished, batch_->next([this] { return call_ != nullptr && call_->llm().stopped(); }));
  if (!finished) return row;
  const auto& asked = rows_[finished->index];
  nl2sql::Attempt attempt;
  if (finished->attempt.ok()) {
    attempt = *std::move(finished->attempt);
  } else {
    auto error = std::move(finished->attempt).error();
    const bool is_endpoint_error = error.code == ErrorCode::io || error.code == ErrorCode::invalid_argument;
    if (!abstain_on_error_ || !is_endpoint_error)
      return std::move(error).with_prefix("row " + std::to_string(finished->index + 1));
    attempt.abstention = nl2sql::Abstention::endpoint;
    attempt.infeasible_type = error.message;
  }
  std::int64_t requests = 0;
  std::int64_t cached = 0;
  std::int64_t tokens = 0;
  for (const auto& step : attempt.trace) {
    requests += step.requests;
    cached += step.cached;
    tokens += step.tokens;
  }
  const auto reason = reason_of(attempt);
  row.append(view(asked.id));
  row.append(ValueView::of_text(asked.question));
  row.append(attempt.sql ? ValueView::of_text(*attempt.sql) : ValueView::null());
  row.append(attempt.sql ? ValueView::of_real(attempt.confidence) : ValueView::null());
  row.append(reason.empty() ? ValueView::null() : ValueView::of_text(reason));
  row.append(ValueView::of_real(attempt.ms));
  row.append(ValueView::of_integer(requests));
  row.append(ValueView::of_integer(cached));
  row.append(ValueView::of_integer(tokens));
  const auto verdict = [&](bool asked_for, bool negative, std::string_view yes, std::string_view no) {
    row.append(asked_for ? ValueView::of_text(negative ? no : yes) : ValueView::null());
  };
  const auto& raw = attempt.sql ? attempt.sql : attempt.held_back;
  row.append(raw ? ValueView::of_text(*raw) : ValueView::null());
  verdict(method_.triage, attempt.abstention == nl2sql::Abstention::infeasible, "answerable", "not_answerable");
  verdict(attempt.signals.verification.has_value(), attempt.abstention == nl2sql::Abstention::error_detected, "correct",
          "incorrect");
  return row;
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
       .entry_point = EntryPoint::full,
       .effect = Effect::state})};
  return functions;
}

}  // namespace trustsql::ext
