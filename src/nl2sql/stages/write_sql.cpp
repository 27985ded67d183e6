#include "nl2sql/stages/write_sql.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "nl2sql/replies/sql_extraction.hpp"
#include "nl2sql/replies/token_confidence.hpp"
#include "nl2sql/stages/forbidden.hpp"
#include "nl2sql/trace.hpp"

namespace trustsql::nl2sql {

namespace {

constexpr int top_logprobs = 20;  // the maximum of OpenAI's API

struct Sample {
  Candidate candidate;
  std::string note;  // what was left out of the reply, or is wrong with it
  TokenConfidence tokens;
};

// The options for extracting SQL from the replies to `conversation`.
ExtractionOptions extraction_for(const std::vector<llm::Message>& conversation, const SqlOptions& options) {
  const auto end = conversation.empty() ? std::string_view() : trim(conversation.back().text);
  const bool ends_in_select =
      end.size() > 6 && equals_ignore_case(end.substr(end.size() - 6), "select") && is_space(end[end.size() - 7]);
  return {.continues_select = ends_in_select, .last_block = options.last_block};
}

// Whether the reply ends with the query: no semicolon and no end of a code block says that there is no more of it.
bool ends_reply(std::string_view sql, std::string_view reply) {
  constexpr std::size_t enough = 16;
  return !sql.empty() && trim(reply).ends_with(sql.substr(sql.size() - std::min(sql.size(), enough)));
}

Sample sample_of(llm::Choice choice, const ExtractionOptions& extraction) {
  Sample sample;
  auto extracted = extract_sql(choice.text, extraction);
  sample.candidate.sql = std::move(extracted.sql);
  sample.note = std::move(extracted.note);
  const bool is_cut = choice.finish_reason == "length";
  if (is_cut && ends_reply(sample.candidate.sql, choice.text)) {
    sample.candidate.sql.clear();
    sample.candidate.error = "the reply was cut within the SQL";
  } else if (sample.candidate.sql.empty()) {
    sample.candidate.error = is_cut ? "the reply was cut before there was SQL" : "no SQL in the reply";
  }
  sample.tokens = token_confidence(choice);
  sample.candidate.reply = std::move(choice.text);
  return sample;
}

llm::ChatRequest request_for(const std::vector<llm::Message>& conversation, const SqlOptions& options) {
  return {.model = options.model.model,
          .messages = conversation,
          .temperature = options.temperature,
          .samples = options.samples,
          .seed = options.model.seed,
          .max_tokens = options.model.max_tokens,
          .stop = {},
          .top_logprobs = options.token_confidence ? top_logprobs : 0};
}

// Asks for `sample` again while it has a forbidden construct, telling the model which.
Status ask_again(std::string_view step_name, Sample& sample, const std::vector<llm::Message>& conversation,
                 const SqlOptions& options, Attempt& attempt, StageContext& context) {
  auto construct = forbidden_construct(sample.candidate.sql);
  for (int i = 0; i < options.asks_again && !construct.empty(); ++i) {
    TracedStep step(attempt, context, std::string(step_name) + ".again");
    TRUSTSQL_ASSIGN_OR_RETURN(
        auto again,
        context.prompts.render("generate.again", {.texts = {{"construct", std::string(construct)}}, .lists = {}}));
    auto request = request_for(conversation, options);
    request.samples = 1;
    request.repeat = i + 1;
    request.messages.push_back({llm::Role::assistant, sample.candidate.sql});
    request.messages.insert(request.messages.end(), again.begin(), again.end());
    step.set_input(conversation_text(request.messages));
    TRUSTSQL_ASSIGN_OR_RETURN(auto choices, context.ask(request));
    auto next = sample_of(std::move(choices.front()), extraction_for(request.messages, options));
    const std::string reply = next.candidate.reply;
    // A reply without SQL leaves the previous query unchanged.
    if (!next.candidate.sql.empty()) sample = std::move(next);
    const auto before = construct;
    construct = forbidden_construct(sample.candidate.sql);
    step.finish(reply, std::string(before) + " is forbidden; " +
                           (construct.empty() ? "it no longer occurs" : "now it has " + std::string(construct)));
  }
  return ok_status();
}

// The replies, one after the other.
std::string show(const std::vector<Candidate>& candidates) {
  if (candidates.size() == 1) return candidates.front().reply;
  std::string text;
  for (std::size_t i = 0; i < candidates.size(); ++i)
    text += "-- sample " + std::to_string(i + 1) + "\n" + candidates[i].reply + "\n";
  return text;
}

// A summary of the replies, in one line.
std::string describe(const std::vector<Sample>& samples) {
  if (samples.size() == 1) {
    const auto& [candidate, note, tokens] = samples.front();
    const std::string outcome = candidate.sql.empty() ? candidate.error : "one sample";
    return note.empty() ? outcome : outcome + "; " + note;
  }
  std::string text = std::to_string(samples.size()) + " samples";
  const auto without =
      std::count_if(samples.begin(), samples.end(), [](const Sample& sample) { return sample.candidate.sql.empty(); });
  if (without > 0) text += ", " + std::to_string(without) + " without SQL";
  for (std::size_t i = 0; i < samples.size(); ++i) {
    if (!samples[i].note.empty()) text += "; sample " + std::to_string(i + 1) + ": " + samples[i].note;
  }
  return text;
}

// The ballot: for each sample its class, or why it has no vote.
std::string show(const std::vector<Candidate>& candidates, const Vote& vote) {
  std::string text;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const auto& candidate = candidates[i];
    text += "sample " + std::to_string(i + 1) + ": ";
    if (vote.ballot[i]) {
      text += *vote.ballot[i] == i ? "votes" : "as sample " + std::to_string(*vote.ballot[i] + 1);
    } else {
      text += (candidate.refused ? "refused: " : "no vote: ") + candidate.error;
    }
    text += "\n";
  }
  return text;
}

// Votes on attempt.candidates, and adds a row to the trace.
Result<Vote> traced_vote(std::string_view step_name, const SqlOptions& options, Attempt& attempt,
                         StageContext& context) {
  TracedStep step(attempt, context, std::string(step_name) + ".vote");
  TRUSTSQL_ASSIGN_OR_RETURN(auto outcome, vote(attempt.candidates, options.rule, context));
  const auto refused = std::count_if(attempt.candidates.begin(), attempt.candidates.end(),
                                     [](const auto& candidate) { return candidate.refused; });
  std::string decision = describe(options.rule) + ": " + outcome.summary();
  if (refused > 0) decision += "; the sandbox refused " + std::to_string(refused);
  step.set_input(outcome.winner ? attempt.candidates[*outcome.winner].sql : "");
  step.finish(show(attempt.candidates, outcome), std::move(decision), outcome.share());
  return outcome;
}

}  // namespace

Result<Abstention> write_sql(std::string_view step_name, const std::vector<llm::Message>& conversation,
                             const SqlOptions& options, Attempt& attempt, StageContext& context) {
  std::vector<Sample> samples;
  attempt.candidates.clear();
  Signals signals;
  {
    TracedStep step(attempt, context, step_name);
    step.set_input(conversation_text(conversation));
    TRUSTSQL_ASSIGN_OR_RETURN(auto choices, context.ask(request_for(conversation, options)));
    const auto extraction = extraction_for(conversation, options);
    for (auto& choice : choices)
      attempt.candidates.push_back(samples.emplace_back(sample_of(std::move(choice), extraction)).candidate);
    step.finish(show(attempt.candidates), describe(samples));
  }
  if (options.forbid) {
    for (std::size_t i = 0; i < samples.size(); ++i) {
      TRUSTSQL_RETURN_IF_ERROR(ask_again(step_name, samples[i], conversation, options, attempt, context));
      attempt.candidates[i] = samples[i].candidate;
    }
  }
  std::size_t chosen = 0;
  if (samples.size() > 1) {
    TRUSTSQL_ASSIGN_OR_RETURN(const auto outcome, traced_vote(step_name, options, attempt, context));
    if (!outcome.winner) {
      const bool any_sql = std::any_of(attempt.candidates.begin(), attempt.candidates.end(),
                                       [](const auto& candidate) { return !candidate.sql.empty(); });
      return any_sql && !outcome.agreed ? Abstention::no_agreement : Abstention::no_sql;
    }
    signals.votes = outcome.share();
    chosen = *outcome.winner;
  } else if (attempt.candidates.front().sql.empty()) {
    return Abstention::no_sql;
  }
  attempt.sql = attempt.candidates[chosen].sql;
  signals.max_entropy = samples[chosen].tokens.max_entropy;
  signals.max_probability = samples[chosen].tokens.max_probability;
  attempt.signals = signals;
  return Abstention::none;
}

}  // namespace trustsql::nl2sql
