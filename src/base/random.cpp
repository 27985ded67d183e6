#include "base/random.hpp"

#include <cmath>

namespace trustsql {

namespace {

// ln(k!) - ln(sqrt(2 pi)) - (k + 1/2) ln(k + 1) + (k + 1).
double stirling_tail(double k) {
  const double next = k + 1;
  if (k < 10) {
    constexpr double half_log_two_pi = 0.918938533204672741780329736406;
    double factorial = 1;
    for (double i = 2; i <= k; ++i) factorial *= i;
    return std::log(factorial) - half_log_two_pi - (k + 0.5) * std::log(next) + next;
  }
  const double square = next * next;
  return (1.0 / 12 - (1.0 / 360 - 1.0 / 1260 / square) / square) / next;
}

// Adds up the probabilities from 0 on; for small n p.
std::int64_t binomial_by_inversion(Random& random, std::int64_t n, double p) {
  const double odds = p / (1 - p);
  double probability = std::exp(static_cast<double>(n) * std::log1p(-p));
  double left = random.uniform();
  std::int64_t k = 0;
  while (left > probability && k < n) {
    left -= probability;
    ++k;
    probability *= odds * static_cast<double>(n - k + 1) / static_cast<double>(k);
  }
  return k;
}

// Algorithm BTRS of W. Hoermann, "The generation of binomial random variates" (1993): transformed rejection with
// squeeze. For n p >= 10, p <= 1/2.
std::int64_t binomial_by_rejection(Random& random, std::int64_t trials, double p) {
  const auto n = static_cast<double>(trials);
  const double q = 1 - p;
  const double deviation = std::sqrt(n * p * q);
  const double b = 1.15 + 2.53 * deviation;
  const double a = -0.0873 + 0.0248 * b + 0.01 * p;
  const double c = n * p + 0.5;
  const double squeeze = 0.92 - 4.2 / b;
  const double alpha = (2.83 + 5.1 / b) * deviation;
  const double odds = p / q;
  const double mode = std::floor((n + 1) * p);
  for (;;) {
    const double u = random.uniform() - 0.5;
    double v = random.uniform();
    const double us = 0.5 - std::abs(u);
    const double k = std::floor((2 * a / us + b) * u + c);
    if (k < 0 || k > n) continue;
    if (us >= 0.07 && v <= squeeze) return static_cast<std::int64_t>(k);
    v = std::log(v * alpha / (a / (us * us) + b));
    const double bound = (mode + 0.5) * std::log((mode + 1) / (odds * (n - mode + 1))) +
                         (n + 1) * std::log((n - mode + 1) / (n - k + 1)) +
                         (k + 0.5) * std::log(odds * (n - k + 1) / (k + 1)) + stirling_tail(mode) +
                         stirling_tail(n - mode) - stirling_tail(k) - stirling_tail(n - k);
    if (v <= bound) return static_cast<std::int64_t>(k);
  }
}

}  // namespace

std::int64_t Random::binomial(std::int64_t n, double p) {
  if (n == 0 || p <= 0) return 0;
  if (p >= 1) return n;
  if (p > 0.5) return n - binomial(n, 1 - p);
  if (static_cast<double>(n) * p < 10) return binomial_by_inversion(*this, n, p);
  return binomial_by_rejection(*this, n, p);
}

}  // namespace trustsql
