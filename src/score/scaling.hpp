// Division by powers of two, which is exact: it keeps squares and products of huge or tiny numbers in the range of
// double.
#pragma once

#include <algorithm>
#include <cmath>

namespace trustsql {

// With exponents between these, 2^e and 2^-e are both doubles.
inline constexpr int least_exponent = -1000;
inline constexpr int greatest_exponent = 1000;

// The e for which |value| / 2^e lies in [0.5, 1), or the nearest that is allowed: what is left is below 2^24 then. Of 0
// the least. Precondition: `value` is finite.
inline int binary_exponent(double value) {
  if (value == 0) return least_exponent;
  int exponent = 0;
  (void)std::frexp(value, &exponent);
  return std::clamp(exponent, least_exponent, greatest_exponent);
}

}  // namespace trustsql
