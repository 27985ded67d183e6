// MaxEnt and MaxProb of a reply (score/statistics/uncertainty.hpp), from the log-probabilities that came with it.
#pragma once

#include <optional>

#include "llm/chat.hpp"

namespace trustsql::nl2sql {

struct TokenConfidence {
  std::optional<double> max_entropy;      // an uncertainty, in nats; only if the server returns alternatives
  std::optional<double> max_probability;  // a confidence, 0..1
};

// Both are nullopt if the server returns no log-probabilities, or no meaningful ones.
TokenConfidence token_confidence(const llm::Choice& choice);

}  // namespace trustsql::nl2sql
