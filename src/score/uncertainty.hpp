// MaxEnt and MaxProb: how sure a model was while it generated, from the log-probabilities of its tokens
// (TrustSQL, section 4.1.2, "entropy-based" and "probability-based").
//
// MaxEnt is an uncertainty; a confidence is its negative. MaxProb is a confidence.
//
// Log-probabilities are natural logarithms, as endpoints return them. Forms of the JSON that is read:
//   {"content": [token, ...]} or [token, ...]   what an OpenAI-compatible endpoint returns as `logprobs`; a token is
//                                               {"token": "..", "logprob": -0.1, "top_logprobs": [{"token": "..",
//                                               "logprob": -0.1}, ...]}
//   [[-0.1, -2.3, ...], ...]                    for each token the log-probabilities of its candidates
//   [-0.1, -0.7, ...]                           for each token that of the chosen one (MaxProb only)
// Where the candidates' probabilities do not add up to 1 (an endpoint returns the k best), what is left counts as one
// further candidate. A chosen token that is not among its top_logprobs is a candidate too.
#pragma once

#include <optional>
#include <string_view>

#include "base/result.hpp"

namespace trustsql {

// MaxEnt: the largest entropy of a token's distribution, in nats. nullopt of no tokens.
// Errors (invalid_argument): not JSON, none of the forms above, a token without candidates (the plain form, or
// top_logprobs missing or empty), a log-probability above 0, probabilities that add up to more than 1.
Result<std::optional<double>> max_entropy(std::string_view json);

// MaxProb: the smallest, over the tokens, of the highest probability of a token's distribution, in [0, 1]. nullopt of
// no tokens. Where only the chosen tokens are known, theirs stand for the highest ones, which they are in greedy
// decoding. Errors as above, but for missing candidates.
Result<std::optional<double>> max_probability(std::string_view json);

}  // namespace trustsql
