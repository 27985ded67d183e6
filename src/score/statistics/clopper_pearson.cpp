#include "score/statistics/clopper_pearson.hpp"

#include <cmath>

#include "score/statistics/binomial.hpp"

namespace trustsql {

namespace {

// The probability at which P(X >= successes) is `tail`, by bisection: that probability grows with p.
double lower_limit(std::int64_t successes, std::int64_t trials, double tail) {
  if (successes == 0) return 0;
  if (successes == trials) return std::pow(tail, 1 / static_cast<double>(trials));
  double low = 0;
  double high = 1;
  while (true) {
    const double middle = (low + high) / 2;
    if (middle <= low || middle >= high) return middle;
    // P(X >= k) at p is P(X' <= n - k) at 1 - p.
    (binomial_cdf(trials - successes, trials, 1 - middle) < tail ? low : high) = middle;
  }
}

}  // namespace

Interval clopper_pearson(std::int64_t successes, std::int64_t trials, double level) {
  if (trials == 0) return {0, 100};
  const double tail = (1 - level) / 2;
  return {100 * lower_limit(successes, trials, tail), 100 * (1 - lower_limit(trials - successes, trials, tail))};
}

}  // namespace trustsql
