// Exact tails of the binomial distribution, used by McNemar's test and the bound on the selective risk.
#pragma once

#include <cstdint>

namespace trustsql {

// P(X <= k) for X ~ Binomial(n, p), to about 12 significant digits, even far out in the tail, where 1 - P(X > k) would
// have none. Preconditions: n >= 0, 0 <= p <= 1. k may lie outside [0, n].
double binomial_cdf(std::int64_t k, std::int64_t n, double p);

// The largest p with P(X <= k) >= delta for X ~ Binomial(n, p): the one-sided Clopper-Pearson upper bound. A rate above
// it would have given k or fewer events in n trials with probability below delta. 1 if k >= n. Preconditions: 0 <= k, 0
// < delta < 1. The result is accurate to 1e-15.
double clopper_pearson_upper(std::int64_t k, std::int64_t n, double delta);

}  // namespace trustsql
