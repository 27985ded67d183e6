#include "nl2sql/stages/second_reading.hpp"

#include <array>

#include "base/text.hpp"
#include "equiv/difference_explanation.hpp"
#include "nl2sql/stages/parsing.hpp"
#include "nl2sql/stages/query_trial.hpp"
#include "nl2sql/trace.hpp"

namespace trustsql::nl2sql {

namespace {

enum class Concord { proved, same_rows, none, no_vote };

// How two queries agree; no_vote if the second one does not run.
Result<Concord> agreement_of(const std::string& sql, const std::string& reading, VoteRule rule, StageContext& context) {
  std::array<Candidate, 2> pair = {Candidate{.reply = sql, .sql = sql}, Candidate{.reply = reading, .sql = reading}};
  rule.quorum = Quorum::majority;
  rule.by = VoteBy::execution;
  TRUSTSQL_ASSIGN_OR_RETURN(const auto by_rows, vote(pair, rule, context));
  if (!by_rows.ballot[1]) return Concord::no_vote;
  if (by_rows.ballot[1] != std::size_t{0}) return Concord::none;
  rule.by = VoteBy::equivalence;
  TRUSTSQL_ASSIGN_OR_RETURN(const auto by_proof, vote(pair, rule, context));
  return by_proof.ballot[1] == std::size_t{0} ? Concord::proved : Concord::same_rows;
}

// ": " and what the second query does otherwise; empty if no counterexample is found in the time for a proof.
Result<std::string> difference_of(const std::string& sql, const std::string& reading, const VoteRule& rule,
                                  StageContext& context) {
  TRUSTSQL_ASSIGN_OR_RETURN(const auto comparer, context.comparers->lease(context.source));
  equiv::ComparisonOptions options;
  options.ignored.add(equiv::Deviation::column_order);
  options.timeout = rule.proof_timeout;
  options.stop = context.call.stop;
  const std::string a = text_to_run(sql, context);
  const std::string b = text_to_run(reading, context);
  TRUSTSQL_ASSIGN_OR_RETURN(const auto comparison, comparer->compare(a, b, options, context.dialect));
  if (!comparison.counterexample) return std::string();
  auto sentence = explain_difference(a, b, *comparison.counterexample, *comparer->catalog(), context.dialect,
                                     {"the query", "it"}, context.call.stop);
  sentence.front() = to_lower_ascii(sentence.front());
  sentence.pop_back();  // the full stop
  return ": " + sentence;
}

}  // namespace

Status SecondReadingStage::run(Attempt& attempt, StageContext& context) const {
  TracedStep step(attempt, context, name());
  if (!attempt.sql) {
    step.finish({}, "there is no SQL to vote on");
    return ok_status();
  }
  step.set_input(*attempt.sql);
  TRUSTSQL_ASSIGN_OR_RETURN(const auto parsed, parse_question(attempt.question, context));
  if (parsed->parse.readings.empty() || !parsed->parse.triage.feasible()) {
    step.finish({}, "the parser has no vote: it does not read the question");
    return ok_status();
  }
  const auto& reading = parsed->parse.readings.front().sql;
  TRUSTSQL_ASSIGN_OR_RETURN(const auto agreement, agreement_of(*attempt.sql, reading, options_.rule, context));
  if (agreement == Concord::no_vote) {
    step.finish(reading, "the parser has no vote: its query does not run");
    return ok_status();
  }
  const bool agrees = agreement != Concord::none;
  const double samples = options_.samples;
  attempt.signals.votes = (attempt.signals.votes.value_or(1) * samples + (agrees ? 1 : 0)) / (samples + 1);
  std::string decision = agreement == Concord::proved      ? "the parser's query is proved equivalent"
                         : agreement == Concord::same_rows ? "the parser's query returns the same rows"
                                                           : "the parser reads the question otherwise";
  if (!agrees && options_.rule.quorum == Quorum::unanimous) {
    attempt.abstention = Abstention::no_agreement;
    decision += ": held back";
  }
  if (!agrees) {
    TRUSTSQL_ASSIGN_OR_RETURN(const auto difference, difference_of(*attempt.sql, reading, options_.rule, context));
    decision += difference;
  }
  step.finish(reading, std::move(decision), attempt.signals.votes);
  return ok_status();
}

}  // namespace trustsql::nl2sql
