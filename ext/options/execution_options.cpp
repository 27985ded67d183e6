#include "ext/options/execution_options.hpp"

#include "ext/services/execution_resources.hpp"

namespace trustsql::ext {

namespace {

PredictionCleaning cleaning_of(const std::vector<CleaningStep>& steps) {
  PredictionCleaning cleaning;
  for (const auto step : steps) {
    switch (step) {
      case CleaningStep::fence: cleaning.fence = true; break;
      case CleaningStep::quotes: cleaning.quotes = true; break;
      case CleaningStep::space: cleaning.space = true; break;
      case CleaningStep::abstain: cleaning.abstain = true; break;
    }
  }
  return cleaning;
}

Error wrong_semantics(std::string_view key, std::string_view needed, ExecSemantics semantics) {
  return invalid_argument("option '" + std::string(key) + "' requires semantics '" + std::string(needed) + "', not '" +
                          std::string(semantics_option.choices.name(semantics)) + "'");
}

}  // namespace

Result<ExecOptions> exec_options(const Options& options) {
  ExecOptions exec = {.semantics = options.get(semantics_option),
                      .distinct = options.get(distinct_option),
                      .dataset = options.get(dataset_option)};
  if (options.has(distinct_option) && exec.semantics != ExecSemantics::spider)
    return wrong_semantics(distinct_option.key, "spider", exec.semantics);
  if (options.has(dataset_option) && exec.semantics != ExecSemantics::trustsql)
    return wrong_semantics(dataset_option.key, "trustsql", exec.semantics);
  if (const auto steps = options.get(clean_option)) {
    exec.cleaning = cleaning_of(*steps);
  } else if (exec.semantics == ExecSemantics::trustsql) {
    exec.cleaning = PredictionCleaning::benchmark();
  }
  return exec;
}

Result<BatchOptions> batch_options(const Session& session, const Options& options) {
  BatchOptions batch;
  TRUSTSQL_ASSIGN_OR_RETURN(batch.exec, exec_options(options));
  if (options.lists(on_gold_error_option)) batch.on_gold_error = options.get(on_gold_error_option);
  batch.max_steps = session.settings().integer(Setting::match_max_steps);
  batch.threads = threads_of(session);
  return batch;
}

}  // namespace trustsql::ext
