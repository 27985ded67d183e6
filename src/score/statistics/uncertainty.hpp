// MaxEnt and MaxProb: how sure a model was while it generated, from the log-probabilities of its tokens
// (TrustSQL, section 4.1.2, "entropy-based" and "probability-based").
//
// MaxEnt is an uncertainty; negated, it is a confidence. MaxProb is a confidence.
//
// Log-probabilities are natural logarithms, as endpoints return them. Accepted forms of the JSON:
//   {"content": [token, ...]} or [token, ...]   what an OpenAI-compatible endpoint returns as `logprobs`; a token is
//                                               {"token": "..", "logprob": -0.1, "top_logprobs": [{"token": "..",
//                                               "logprob": -0.1}, ...]}
//   [[-0.1, -2.3, ...], ...]                    for each token, the log-probabilities of its candidates
//   [-0.1, -0.7, ...]                           for each token, that of the chosen one (MaxProb only)
// If the candidates' probabilities do not add up to 1 (an endpoint returns only the k best), the remainder counts as
// one further candidate. A chosen token that is not among its top_logprobs is a candidate too.
#pragma once

#include <optional>
#include <string_view>

#include "base/result.hpp"

namespace trustsql {

// MaxEnt: the largest entropy of a token's distribution, in nats. nullopt if there are no tokens.
// Errors (invalid_argument): not JSON, none of the forms above, a token without candidates (the plain form, or
// top_logprobs missing or empty), a log-probability above 0, probabilities that add up to more than 1.
Result<std::optional<double>> max_entropy(std::string_view json);

// MaxProb: the smallest, over the tokens, of the highest probability of a token's distribution, in [0, 1]. nullopt if
// there are no tokens. If only the chosen tokens are known, their probabilities are used instead of the highest ones,
// which is exact for greedy decoding. Errors as above, except that candidates may be missing.
Result<std::optional<double>> max_probability(std::string_view json);

}  // namespace trustsql
