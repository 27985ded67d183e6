#include "nl2sql/g_eval.hpp"

#include <charconv>
#include <cmath>
#include <optional>

#include "base/text.hpp"

namespace trustsql::nl2sql {

namespace {

constexpr int alternatives = 5;  // every server returns at least this many

// The model's answer, without its reasoning before it.
std::string_view answer_of(std::string_view reply) {
  constexpr std::string_view end_of_thought = "</think>";
  const auto end = reply.rfind(end_of_thought);
  return trim(end == std::string_view::npos ? reply : reply.substr(end + end_of_thought.size()));
}

// The first number of an answer, if it is a score.
std::optional<double> score_of(std::string_view answer) {
  std::size_t start = 0;
  while (start < answer.size() && !is_digit(answer[start])) ++start;
  double score = 0;
  const auto [end, error] = std::from_chars(answer.data() + start, answer.data() + answer.size(), score);
  if (error != std::errc() || score < 0 || score > 1 || (start > 0 && answer[start - 1] == '-')) return std::nullopt;
  return score;
}

// The probability of 1 relative to 0 and 1 together, at the last token that is a score.
std::optional<double> weighted_score(const std::vector<llm::TokenLogprob>& tokens) {
  for (auto token = tokens.rbegin(); token != tokens.rend(); ++token) {
    if (const auto text = trim(token->token); text != "0" && text != "1") continue;
    double p_zero = 0;
    double p_one = 0;
    for (const auto& other : token->top) {
      const auto text = trim(other.token);
      if (text == "0") p_zero += std::exp(other.logprob);
      if (text == "1") p_one += std::exp(other.logprob);
    }
    if (p_zero + p_one > 0) return p_one / (p_zero + p_one);
  }
  return std::nullopt;
}

}  // namespace

Result<double> g_eval(std::string_view a, std::string_view b, const GEvalOptions& options, const PromptLibrary& prompts,
                      llm::ChatModel& chat, const llm::RequestContext& context) {
  PromptValues values;
  values.texts = {{"a", std::string(a)}, {"b", std::string(b)}};
  llm::ChatRequest request;
  request.model = options.model;
  TRUSTSQL_ASSIGN_OR_RETURN(request.messages, prompts.render("g-eval", values));
  if (options.weighted) request.top_logprobs = alternatives;
  TRUSTSQL_ASSIGN_OR_RETURN(const auto reply, chat.complete(request, context));
  const auto& choice = reply.choices.front();
  const auto answer = answer_of(choice.text);
  const auto score = score_of(answer);
  if (!score) return io_error("the judge's reply has no score from 0 to 1: " + quote_for_message(answer));
  if (!options.weighted) return *score;
  const auto weighted = weighted_score(choice.logprobs);
  if (!weighted)
    return io_error("the server returns no probabilities for the judge's score; leave out the option weighted");
  return *weighted;
}

}  // namespace trustsql::nl2sql
