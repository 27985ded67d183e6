#include "nl2sql/question_batch.hpp"

#include "base/text.hpp"

namespace trustsql::nl2sql {

namespace {

void append_row(ResultSet& rows, const AskedQuestion& asked, const Attempt& attempt, bool has_triage) {
  std::int64_t requests = 0;
  std::int64_t cached = 0;
  std::int64_t tokens = 0;
  for (const auto& step : attempt.trace) {
    requests += step.requests;
    cached += step.cached;
    tokens += step.tokens;
  }
  const auto reason = reason_of(attempt);
  rows.append(view(asked.id));
  rows.append(ValueView::of_text(asked.question));
  rows.append(attempt.sql ? ValueView::of_text(*attempt.sql) : ValueView::null());
  rows.append(attempt.sql ? ValueView::of_real(attempt.confidence) : ValueView::null());
  rows.append(reason.empty() ? ValueView::null() : ValueView::of_text(reason));
  rows.append(ValueView::of_real(attempt.ms));
  rows.append(ValueView::of_integer(requests));
  rows.append(ValueView::of_integer(cached));
  rows.append(ValueView::of_integer(tokens));
  const auto append_verdict = [&](bool asked_for, bool negative, std::string_view yes, std::string_view no) {
    rows.append(asked_for ? ValueView::of_text(negative ? no : yes) : ValueView::null());
  };
  const auto& raw = attempt.sql ? attempt.sql : attempt.held_back;
  rows.append(raw ? ValueView::of_text(*raw) : ValueView::null());
  append_verdict(has_triage, attempt.abstention == Abstention::infeasible, "answerable", "not_answerable");
  append_verdict(attempt.signals.verification.has_value(), attempt.abstention == Abstention::error_detected, "correct",
                 "incorrect");
}

}  // namespace

Result<std::vector<AskedQuestion>> read_questions(RowSource source, const std::string& evidence) {
  TRUSTSQL_ASSIGN_OR_RETURN(const int question_column, source.require("question"));
  const auto id_column = source.find("id");
  const auto database_column = source.find("database");
  const auto evidence_column = source.find("evidence");
  const auto text_at = [&](const std::optional<int>& column) {
    return column && !source.at(*column).is_null() ? std::optional(format_value(source.at(*column))) : std::nullopt;
  };
  std::vector<AskedQuestion> questions;
  for (std::int64_t number = 1;; ++number) {
    TRUSTSQL_ASSIGN_OR_RETURN(const bool more, source.next());
    if (!more) return questions;
    auto question = text_at(question_column);
    if (!question) return invalid_argument("row " + std::to_string(number) + " of the source has no question");
    questions.push_back({.id = id_column ? to_value(source.at(*id_column)) : Value(number),
                         .question = *std::move(question),
                         .evidence = text_at(evidence_column).value_or(evidence),
                         .database = text_at(database_column)});
  }
}

QuestionBatch::QuestionBatch(std::vector<AskedQuestion> questions, const Method& method, const PipelineModels& models,
                             ContextOf context_of, const Options& options)
    : questions_(std::move(questions)),
      pipeline_(method, models),
      context_of_(std::move(context_of)),
      on_error_(options.on_error),
      batch_(questions_.size(), options.concurrency, [this](std::size_t index) { return attempt(index); }) {}

// Called in the batch's threads.
Result<Attempt> QuestionBatch::attempt(std::size_t index) {
  Attempt attempt;
  attempt.question = questions_[index].question;
  attempt.evidence = questions_[index].evidence;
  if (!pipeline_.method().answers()) {
    abstain_from(attempt);
    return attempt;
  }
  auto context = context_of_(index);
  context.call.stop = [this, stop = std::move(context.call.stop)] { return cancelled_.load() || (stop && stop()); };
  TRUSTSQL_RETURN_IF_ERROR(pipeline_.run(attempt, context));
  return attempt;
}

Result<ResultSet> QuestionBatch::next(const std::function<bool()>& poll) {
  ResultSet row(
      {"id", "question", "sql", "confidence", "reason", "ms", "requests", "cached", "tokens", "raw", "cls", "error"});
  TRUSTSQL_ASSIGN_OR_RETURN(auto finished, batch_.next(poll));
  if (!finished) return row;
  Attempt attempt;
  if (finished->attempt.ok()) {
    attempt = *std::move(finished->attempt);
  } else {
    auto error = std::move(finished->attempt).error();
    const bool is_request_error = error.code == ErrorCode::io || error.code == ErrorCode::invalid_argument;
    if (on_error_ == OnRequestError::error || !is_request_error)
      return std::move(error).with_prefix("row " + std::to_string(finished->index + 1));
    attempt.abstention = Abstention::endpoint;
    attempt.infeasible_type = error.message;
  }
  append_row(row, questions_[finished->index], attempt, pipeline_.method().triage || pipeline_.method().classify);
  return row;
}

}  // namespace trustsql::nl2sql
