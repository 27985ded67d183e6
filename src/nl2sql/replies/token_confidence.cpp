#include "nl2sql/replies/token_confidence.hpp"

#include "base/json_writer.hpp"
#include "score/statistics/uncertainty.hpp"

namespace trustsql::nl2sql {

TokenConfidence token_confidence(const llm::Choice& choice) {
  TokenConfidence confidence;
  if (choice.logprobs.empty()) return confidence;
  JsonWriter tokens;
  tokens.begin_array();
  for (const auto& token : choice.logprobs) {
    tokens.begin_object().key("token").value(token.token).key("logprob").value(token.logprob);
    if (!token.top.empty()) {
      tokens.key("top_logprobs").begin_array();
      for (const auto& alternative : token.top) {
        tokens.begin_object().key("token").value(alternative.token);
        tokens.key("logprob").value(alternative.logprob).end_object();
      }
      tokens.end_array();
    }
    tokens.end_object();
  }
  const auto json = std::move(tokens.end_array()).text();
  if (const auto entropy = max_entropy(json); entropy.ok()) confidence.max_entropy = *entropy;
  if (const auto probability = max_probability(json); probability.ok()) confidence.max_probability = *probability;
  return confidence;
}

}  // namespace trustsql::nl2sql
