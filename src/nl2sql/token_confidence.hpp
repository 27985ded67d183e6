// MaxEnt and MaxProb of a reply (score/uncertainty.hpp), from the log-probabilities that came with it.
#pragma once

#include <optional>

#include "llm/chat.hpp"

namespace trustsql::nl2sql {

struct TokenConfidence {
  std::optional<double> max_entropy;      // an uncertainty, in nats; where the server gives alternatives
  std::optional<double> max_probability;  // a confidence, 0..1
};

// What there is: nothing where the server gives no log-probabilities, or none that mean something.
TokenConfidence token_confidence(const llm::Choice& choice);

}  // namespace trustsql::nl2sql
