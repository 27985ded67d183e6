// Division by powers of two, which is exact: it keeps squares and products of huge or tiny numbers in the range of
// double.
#pragma once

#include <algorithm>
#include <cmath>

namespace trustsql {

// For every e in this range, both 2^e and 2^-e are doubles.
inline constexpr int least_exponent = -1000;
inline constexpr int greatest_exponent = 1000;

// The e for which |value| / 2^e lies in [0.5, 1), clamped to the range above, in which case the quotient is below 2^24.
// For 0, the least exponent. Precondition: `value` is finite.
inline int binary_exponent(double value) {
  if (value == 0) return least_exponent;
  int exponent = 0;
  (void)std::frexp(value, &exponent);
  return std::clamp(exponent, least_exponent, greatest_exponent);
}

}  // namespace trustsql
