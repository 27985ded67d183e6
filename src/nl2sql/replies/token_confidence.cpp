#include "nl2sql/replies/token_confidence.hpp"

#include <nlohmann/json.hpp>

#include "score/statistics/uncertainty.hpp"

namespace trustsql::nl2sql {

TokenConfidence token_confidence(const llm::Choice& choice) {
  TokenConfidence confidence;
  if (choice.logprobs.empty()) return confidence;
  auto tokens = nlohmann::json::array();
  for (const auto& token : choice.logprobs) {
    nlohmann::json entry = {{"token", token.token}, {"logprob", token.logprob}};
    auto& top = entry["top_logprobs"] = nlohmann::json::array();
    for (const auto& alternative : token.top)
      top.push_back({{"token", alternative.token}, {"logprob", alternative.logprob}});
    if (top.empty()) entry.erase("top_logprobs");
    tokens.push_back(std::move(entry));
  }
  const auto json = tokens.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  if (const auto entropy = max_entropy(json); entropy.ok()) confidence.max_entropy = *entropy;
  if (const auto probability = max_probability(json); probability.ok()) confidence.max_probability = *probability;
  return confidence;
}

}  // namespace trustsql::nl2sql
