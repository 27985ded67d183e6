#include "ext/options/method_options.hpp"

namespace trustsql::ext {

namespace {

void set_vote(Vote vote, nl2sql::VoteRule& rule) {
  switch (vote) {
    case Vote::reply:
    case Vote::text: rule.by = nl2sql::VoteBy::text; break;
    case Vote::execution: rule.by = nl2sql::VoteBy::execution; break;
    case Vote::equivalence: rule.by = nl2sql::VoteBy::equivalence; break;
  }
  rule.raw = vote == Vote::reply;
}

}  // namespace

Status apply_options(const Options& options, nl2sql::Method& method) {
  method.triage_type = options.get(infeasible_type_option);
  method.demonstrations = options.get(demonstrations_option).value_or(method.demonstrations);
  if (method.demonstrations == 0) method.other_databases = 0;
  options.get_given(rewrite_rows_option, method.rewrite_rows);
  options.get_given(content_rows_option, method.content_rows);
  options.get_given(ranked_rows_option, method.ranked_rows);
  options.get_given(rounds_option, method.rounds);
  options.get_given(result_rows_option, method.result_rows);
  if (const auto samples = options.get(samples_option)) nl2sql::set_samples(method, *samples);
  method.temperature = options.get(generation_temperature_option).value_or(method.temperature);
  if (const auto vote = options.get(vote_option)) set_vote(*vote, method.rule);
  method.rule.quorum = options.get(quorum_option).value_or(method.rule.quorum);
  options.get_given(asks_again_option, method.asks_again);
  options.get_given(recall_samples_option, method.recall_samples);
  options.get_given(link_budget_option, method.link_budget);
  options.get_given(threshold_option, method.threshold);
  method.unknown_functions = options.get(unknown_functions_option).value_or(method.unknown_functions);
  method.dataset = options.get(method_dataset_option);
  if (auto signals = options.get(confidence_option)) method.signals = *std::move(signals);
  return nl2sql::check_method(method);
}

}  // namespace trustsql::ext
