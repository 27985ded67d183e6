#include "nl2sql/stages/decide.hpp"

#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "nl2sql/stages/query_trial.hpp"
#include "nl2sql/trace.hpp"

namespace trustsql::nl2sql {

namespace {

std::optional<double> value_of(const Signals& signals, Signal signal) {
  switch (signal) {
    case Signal::votes: return signals.votes;
    case Signal::max_probability: return signals.max_probability;
    case Signal::verification: return signals.verification;
    case Signal::reading: return signals.reading;
    case Signal::max_entropy:
      return signals.max_entropy ? std::optional(std::exp(-*signals.max_entropy)) : std::nullopt;
  }
  return std::nullopt;
}

// Functions of SQLite's shell and of common extensions that reach beyond the database. The host's connection may lack
// them, and the program that runs the answer later may not.
constexpr std::string_view far_reaching_functions[] = {
    "edit",         "eval",       "exec",           "execute",       "fileio_append", "fileio_mkdir", "fileio_read",
    "fileio_write", "fsdir",      "load_extension", "lsmode",        "readfile",      "shell",        "symlink",
    "system",       "write_file", "writefile",      "http_get",      "http_post",     "http_request", "popen",
    "getenv",       "setenv",     "define",         "fts3_tokenizer"};

// Whether a query is refused for the method. One that calls a function which nobody has only fails.
bool is_refused(const QueryTrial& trial, UnknownFunctions unknown_functions, const StageContext& context) {
  if (!trial.refused || trial.unknown_function.empty() || unknown_functions == UnknownFunctions::abstain)
    return trial.refused;
  const auto& name = trial.unknown_function;
  if (std::ranges::any_of(far_reaching_functions, [&](auto known) { return equals_ignore_case(name, known); }))
    return true;
  return !context.host_has_function || context.host_has_function(name);
}

}  // namespace

double confidence_of(const Signals& signals, const std::vector<Signal>& wanted) {
  double confidence = 1;
  for (const auto signal : wanted) confidence *= value_of(signals, signal).value_or(1);
  return confidence;
}

Status DecideStage::run(Attempt& attempt, StageContext& context) const {
  TracedStep step(attempt, context, name());
  if (!attempt.sql) {
    attempt.abstention = Abstention::no_sql;
    step.finish("", "there is no SQL");
    return ok_status();
  }
  step.set_input(*attempt.sql);
  attempt.confidence = confidence_of(attempt.signals, options_.signals);
  TRUSTSQL_ASSIGN_OR_RETURN(auto trial, try_query(*attempt.sql, context));
  attempt.result = std::move(trial.rows);
  attempt.error = trial.error;
  std::string decision = "answers";
  if (is_refused(trial, options_.unknown_functions, context)) {
    attempt.abstention = Abstention::not_allowed;
    decision = "refused by the sandbox";
  } else if (!trial.error.empty() && options_.must_run) {
    attempt.abstention = Abstention::query_failed;
    decision = "the query fails";
  } else if (options_.threshold && attempt.confidence < *options_.threshold) {
    attempt.abstention = Abstention::low_confidence;
    decision =
        "confidence " + print_real(attempt.confidence) + " is below the threshold " + print_real(*options_.threshold);
  } else if (!trial.error.empty()) {
    decision = "answers, although the query fails";
  }
  step.finish(trial.error, std::move(decision), attempt.confidence);
  return ok_status();
}

}  // namespace trustsql::nl2sql
