// Bounds the cost of a call of SQLite's printf() before it is made (https://sqlite.org/printf.html).
//
// SQLite bounds the length of the result, not the time that it takes: '%.1000000000c' appends a character a billion
// times, although the result is long past its limit, and '%.15000000g' computes fifteen million digits of which it
// keeps three.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace trustsql {

struct BoundedFormat {
  enum class Outcome {
    same,      // a call with `format` and `replaced` gives the same result
    too_long,  // the result is longer than the limit
    too_many,  // there are more conversions than printf_conversions
  };
  Outcome outcome = Outcome::same;
  std::string format;
  std::map<std::size_t, int>
      replaced;  // arguments, from 0, that are precisions written as *, and what to pass in their places
};

// The most conversions (%d, %s ...) that a format may have. Those beyond the arguments print NULLs.
inline constexpr std::size_t printf_conversions = 100'000;

// Access to the arguments of a call, numbered from 0; a missing one is NULL.
struct PrintfArguments {
  std::function<int(std::size_t)> integer;  // the argument as an int, as SQLite reads a width or precision written as *
  std::function<bool(std::size_t)> is_finite;  // whether the argument, as a number, is finite
};

// Bounds a call of printf() with this format, which ends at its first NUL, and these arguments. `limit`: the longest
// result, in bytes.
BoundedFormat bound_format(std::string_view format, std::size_t limit, const PrintfArguments& arguments);

}  // namespace trustsql
