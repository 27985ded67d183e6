#include "score/statistics/mcnemar.hpp"

#include <algorithm>
#include <cmath>

#include "score/statistics/binomial.hpp"

namespace trustsql {

McNemar mcnemar(std::int64_t only_first, std::int64_t only_second) {
  McNemar test;
  const std::int64_t n = only_first + only_second;
  if (n == 0) return test;
  const std::int64_t fewer = std::min(only_first, only_second);
  const double below = binomial_cdf(fewer - 1, n, 0.5);
  const double up_to = binomial_cdf(fewer, n, 0.5);
  const double observed = up_to - below;
  test.exact = std::min(1.0, 2 * up_to);
  test.mid_p = only_first == only_second ? 1 - observed / 2 : below + up_to;
  const double difference = std::max(0.0, std::abs(static_cast<double>(only_first - only_second)) - 1);
  test.chi_squared = difference * difference / static_cast<double>(n);
  return test;
}

}  // namespace trustsql
