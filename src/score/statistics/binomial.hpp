// Exact tails of the binomial distribution, used by McNemar's test and the bound on the selective risk.
#pragma once

#include <cstdint>

namespace trustsql {

// P(X <= k) for X ~ Binomial(n, p), to about 12 significant digits, even far out in the tail, where 1 - P(X > k) would
// have none. Preconditions: n >= 0, 0 <= p <= 1. k may lie outside [0, n].
double binomial_cdf(std::int64_t k, std::int64_t n, double p);

}  // namespace trustsql
