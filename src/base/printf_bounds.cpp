#include "base/printf_bounds.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>

namespace trustsql {

namespace {

// The most digits that SQLite produces for a number, whatever the precision (SQLITE_FP_PRECISION_LIMIT).
constexpr int max_digits = 100'000'000;

// Longer precisions are replaced by shorter ones that give the same result. No double has more digits than this, and
// SQLite before 3.43 rounds by the lowest twelve bits of the precision minus one.
constexpr int rounding_period = 4096;

// Bytes that SQLite reserves for a number in addition to its digits, up to a few for small numbers.
constexpr int number_overhead = 14;

// One conversion, read as sqlite3_str_vappendf() reads it.
struct Conversion {
  int width = 0;
  int precision = -1;
  bool alternate = false;           // #
  std::size_t precision_begin = 0;  // where the digits of the precision begin in the format
  std::size_t precision_end = 0;    // 0: no digits, or a *
  bool precision_is_argument = false;
  std::size_t precision_argument = 0;
  char type = '\0';
};

class Reader {
 public:
  Reader(std::string_view format, const PrintfArguments& arguments) : format_(format), arguments_(arguments) {}

  // Reads the next conversion; false at the end.
  bool next(Conversion& conversion) {
    while (position_ < format_.size() && format_[position_] != '%') ++position_;
    if (position_ + 1 >= format_.size()) return false;
    ++position_;
    conversion = {};
    while (peek() != '\0' && read_part(conversion)) {
    }
    conversion.type = peek();
    if (conversion.type == '\0') return false;
    ++position_;
    return true;
  }

  std::size_t argument() const { return argument_; }
  void take_argument() { ++argument_; }

 private:
  char peek() const { return position_ < format_.size() ? format_[position_] : '\0'; }
  static bool is_digit(char c) { return c >= '0' && c <= '9'; }

  int number() {
    std::uint32_t value = 0;  // wraps around, as SQLite's does
    for (; is_digit(peek()); ++position_) value = value * 10 + static_cast<std::uint32_t>(peek() - '0');
    return static_cast<int>(value & 0x7fffffffU);
  }

  // If the argument is missing, none is consumed.
  int integer_argument() { return arguments_.integer(argument_++); }

  // Reads a flag, width, precision or length; false if the type follows.
  bool read_part(Conversion& conversion) {
    const char c = peek();
    if (std::string_view("-+ #!0,").find(c) != std::string_view::npos) {
      conversion.alternate = conversion.alternate || c == '#';
      ++position_;
      return true;
    }
    if (c == 'l') {
      position_ += position_ + 1 < format_.size() && format_[position_ + 1] == 'l' ? 2 : 1;
      return false;
    }
    if (is_digit(c)) {
      conversion.width = number();
      return peek() == '.' || peek() == 'l';
    }
    if (c == '*') {
      ++position_;
      const int width = integer_argument();
      conversion.width = width >= 0 ? width : width == std::numeric_limits<int>::min() ? 0 : -width;
      return peek() == '.' || peek() == 'l';
    }
    if (c != '.') return false;
    ++position_;
    if (peek() == '*') {
      ++position_;
      conversion.precision_is_argument = true;
      conversion.precision_argument = argument_;
      const int precision = integer_argument();
      conversion.precision = precision >= 0                                 ? precision
                             : precision == std::numeric_limits<int>::min() ? -1
                                                                            : -precision;
    } else {
      conversion.precision_begin = position_;
      conversion.precision = number();
      conversion.precision_end = position_;
    }
    return peek() == 'l';
  }

  std::string_view format_;
  const PrintfArguments& arguments_;
  std::size_t position_ = 0;
  std::size_t argument_ = 0;
};

bool is_one_of(char type, std::string_view types) { return types.find(type) != std::string_view::npos; }

// The smallest number of bytes that a conversion writes.
std::size_t least_length(const Conversion& conversion, bool is_finite) {
  const int width = conversion.type == 'n' ? 0 : conversion.width;
  int precision = 0;
  if (is_one_of(conversion.type, "cdiuxXopr")) precision = conversion.precision;
  if (is_one_of(conversion.type, "feE") && is_finite) precision = std::min(conversion.precision, max_digits);
  return static_cast<std::size_t>(std::max({width, precision, 0}));
}

}  // namespace

BoundedFormat bound_format(std::string_view format, std::size_t limit, const PrintfArguments& arguments) {
  format = format.substr(0, format.find('\0'));
  BoundedFormat bounded;
  Reader reader(format, arguments);
  Conversion conversion;
  std::size_t length = 0;
  std::size_t copied = 0;
  for (std::size_t count = 0; reader.next(conversion); ++count) {
    if (count == printf_conversions) return {.outcome = BoundedFormat::Outcome::too_many, .format = {}, .replaced = {}};
    if (!is_one_of(conversion.type, "%ncdiuxXoprfeEgGszqQw")) break;  // SQLite stops here, too
    const std::size_t argument = reader.argument();
    if (!is_one_of(conversion.type, "%n")) reader.take_argument();
    length += least_length(conversion, is_one_of(conversion.type, "feE") && arguments.is_finite(argument));
    if (length > limit) return {.outcome = BoundedFormat::Outcome::too_long, .format = {}, .replaced = {}};
    if (!is_one_of(conversion.type, "gG") || conversion.alternate || conversion.precision <= 2 * rounding_period)
      continue;
    // The size of the buffer that SQLite requests, which may not exceed the limit for the result.
    const auto buffer = std::int64_t{conversion.precision} + conversion.width + number_overhead;
    if (buffer > static_cast<std::int64_t>(limit) && arguments.is_finite(argument))
      return {.outcome = BoundedFormat::Outcome::too_long, .format = {}, .replaced = {}};
    const int precision = 2 * rounding_period + 1 + (conversion.precision - 1) % rounding_period;
    if (conversion.precision_is_argument) {
      bounded.replaced[conversion.precision_argument] = precision;
    } else {
      bounded.format += format.substr(copied, conversion.precision_begin - copied);
      bounded.format += std::to_string(precision);
      copied = conversion.precision_end;
    }
  }
  bounded.format += format.substr(copied);
  return bounded;
}

}  // namespace trustsql
