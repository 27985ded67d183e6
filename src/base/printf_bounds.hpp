// What a call of SQLite's printf() would make, found before it is made (https://sqlite.org/printf.html).
//
// SQLite bounds the length of the result, not the time that it takes: '%.1000000000c' appends a character a billion
// times, although the result is long past its limit, and '%.15000000g' makes fifteen million digits of which it keeps
// three.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace trustsql {

struct BoundedFormat {
  enum class Outcome {
    same,      // `format` and `replaced` give what the call gives
    too_long,  // the result is longer than the limit
    too_many,  // there are more conversions than printf_conversions
  };
  Outcome outcome = Outcome::same;
  std::string format;
  std::map<std::size_t, int>
      replaced;  // arguments, from 0, that are precisions written as *, and what to pass in their places
};

// The most conversions (%d, %s ...) of a format. What is beyond the arguments prints NULLs.
inline constexpr std::size_t printf_conversions = 100'000;

// What is asked about the arguments of a call, by their number from 0; one that is missing is NULL.
struct PrintfArguments {
  std::function<int(std::size_t)> integer;     // as an int, which a width or precision written as * is read as
  std::function<bool(std::size_t)> is_finite;  // as a number
};

// `format` as a text that ends at its first NUL, and a limit in bytes.
BoundedFormat bound_format(std::string_view format, std::size_t limit, const PrintfArguments& arguments);

}  // namespace trustsql
