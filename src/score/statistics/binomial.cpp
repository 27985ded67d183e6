#include "score/statistics/binomial.hpp"

#include <cmath>
#include <limits>

namespace trustsql {

namespace {

// ln(k!) minus Stirling's approximation of it, for k >= 1: computed exactly for small k, by the asymptotic series for
// larger k (where its first omitted term is below 1e-16).
double stirling_error(double k) {
  constexpr double half_log_two_pi = 0.918938533204672741780329736406;
  if (k < 16) {
    double factorial = 1;
    for (double i = 2; i <= k; ++i) factorial *= i;
    return std::log(factorial) - ((k + 0.5) * std::log(k) - k + half_log_two_pi);
  }
  const double square = k * k;
  return (1.0 / 12 - (1.0 / 360 - (1.0 / 1260 - (1.0 / 1680 - 1.0 / 1188 / square) / square) / square) / square) / k;
}

// x ln(x / mean) + mean - x without cancellation where x is close to mean.
double deviance(double x, double mean) {
  if (std::abs(x - mean) < 0.1 * (x + mean)) {
    const double v = (x - mean) / (x + mean);
    double sum = (x - mean) * v;
    double term = 2 * x * v;
    for (int j = 1; j < 1000; ++j) {
      term *= v * v;
      const double next = sum + term / (2 * j + 1);
      if (next == sum) return next;
      sum = next;
    }
  }
  return x * std::log(x / mean) + mean - x;
}

// x^a (1-x)^b / (a B(a, b)). With n = a + b this is b / n times the binomial probability of a successes in n trials,
// computed in Loader's saddle-point form ("Fast and accurate computation of binomial probabilities", 2000), in which no
// large numbers cancel.
double beta_prefix(double a, double b, double x) {
  constexpr double two_pi = 6.283185307179586476925286766559;
  const double n = a + b;
  const double exponent =
      stirling_error(n) - stirling_error(a) - stirling_error(b) - deviance(a, n * x) - deviance(b, n * (1 - x));
  return std::exp(exponent) * std::sqrt(n / (two_pi * a * b)) * b / n;
}

// The continued fraction of I_x(a, b) (DLMF 8.17.22), evaluated by Lentz's method. It converges fast for x < (a + 1) /
// (a + b + 2); the number of steps grows like the square root of max(a, b).
double beta_continued_fraction(double a, double b, double x) {
  constexpr double tiny = 1e-300;
  constexpr double epsilon = 1e-16;
  const auto nonzero = [](double v) { return std::abs(v) < tiny ? tiny : v; };
  double c = 1;
  double d = 1 / nonzero(1 - (a + b) * x / (a + 1));
  double fraction = d;
  for (double m = 1; m < 1e7; ++m) {
    const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / nonzero(1 + even * d);
    c = nonzero(1 + even / c);
    fraction *= d * c;
    const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / nonzero(1 + odd * d);
    c = nonzero(1 + odd / c);
    const double factor = d * c;
    fraction *= factor;
    if (std::abs(factor - 1) < epsilon) break;
  }
  return fraction;
}

// I_x(a, b), the regularised incomplete beta function, for whole a, b >= 1.
double incomplete_beta(double a, double b, double x) {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  if (x < (a + 1) / (a + b + 2)) return beta_prefix(a, b, x) * beta_continued_fraction(a, b, x);
  return 1 - beta_prefix(b, a, 1 - x) * beta_continued_fraction(b, a, 1 - x);
}

}  // namespace

double binomial_cdf(std::int64_t k, std::int64_t n, double p) {
  if (k < 0) return 0;
  if (k >= n) return 1;
  const auto kd = static_cast<double>(k);
  return incomplete_beta(static_cast<double>(n) - kd, kd + 1, 1 - p);
}

}  // namespace trustsql
