#include "score/execution/python_value.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <limits>

#include "base/text.hpp"

namespace trustsql {

namespace {

// White space that float() strips.
bool is_python_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

std::string python_bytes_str(std::string_view bytes) {
  constexpr std::string_view hex = "0123456789abcdef";
  const bool has_single = bytes.find('\'') != std::string_view::npos;
  const char quote = has_single && bytes.find('"') == std::string_view::npos ? '"' : '\'';
  std::string text = "b";
  text += quote;
  for (const char c : bytes) {
    const auto code = static_cast<unsigned char>(c);
    if (c == quote || c == '\\') {
      text += '\\';
      text += c;
    } else if (c == '\t') {
      text += "\\t";
    } else if (c == '\n') {
      text += "\\n";
    } else if (c == '\r') {
      text += "\\r";
    } else if (code < 0x20 || code >= 0x7f) {
      text += "\\x";
      text += hex[code >> 4];
      text += hex[code & 15];
    } else {
      text += c;
    }
  }
  text += quote;
  return text;
}

// Takes digits with single underscores between them from the start of `text` and appends them to `digits`, without the
// underscores. False if there is no digit.
bool take_digits(std::string_view& text, std::string& digits) {
  std::size_t i = 0;
  while (i < text.size() && (is_digit(text[i]) || (text[i] == '_' && i > 0 && is_digit(text[i - 1]) &&
                                                   i + 1 < text.size() && is_digit(text[i + 1])))) {
    if (text[i] != '_') digits += text[i];
    ++i;
  }
  text.remove_prefix(i);
  return i > 0;
}

// The decimal exponent of the first nonzero digit of `mantissa`; 0 if there is none.
long leading_exponent(std::string_view mantissa) {
  const std::size_t point = std::min(mantissa.find('.'), mantissa.size());
  const std::size_t first = mantissa.find_first_not_of("0.");
  if (first == std::string_view::npos) return 0;
  return first < point ? static_cast<long>(point - first) - 1 : static_cast<long>(point) - static_cast<long>(first);
}

// The double nearest to mantissa * 10^exponent. Precondition: both are well formed.
double to_double(const std::string& mantissa, const std::string& exponent) {
  const std::string number = exponent.empty() ? mantissa : mantissa + "e" + exponent;
  double value = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
  if (error != std::errc::result_out_of_range) return value;
  // The exponent is an integer, so the decimal point of the locale does not matter.
  const double scale = exponent.empty() ? 0 : std::strtod(exponent.c_str(), nullptr);
  return static_cast<double>(leading_exponent(mantissa)) + scale > 0 ? std::numeric_limits<double>::infinity() : 0.0;
}

}  // namespace

std::string python_float_str(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  std::array<char, 40> buffer{};
  auto* const end =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::scientific).ptr;
  const std::string_view scientific(buffer.data(), static_cast<std::size_t>(end - buffer.data()));
  const std::size_t e = scientific.find('e');
  int exponent = 0;
  std::from_chars(scientific.data() + e + (scientific[e + 1] == '+' ? 2 : 1), scientific.data() + scientific.size(),
                  exponent);
  if (exponent < -4 || exponent >= 16) return std::string(scientific);

  std::string text;
  std::string digits;
  for (const char c : scientific.substr(0, e)) {
    if (c == '-') text += c;
    if (is_digit(c)) digits += c;
  }
  if (exponent < 0) return text + "0." + std::string(static_cast<std::size_t>(-exponent) - 1, '0') + digits;
  const auto whole = static_cast<std::size_t>(exponent) + 1;
  if (digits.size() <= whole) return text + digits + std::string(whole - digits.size(), '0') + ".0";
  return text + digits.substr(0, whole) + "." + digits.substr(whole);
}

std::string python_str(ValueView value) {
  switch (value.type) {
    case ValueType::null: return "None";
    case ValueType::integer: return std::to_string(value.integer);
    case ValueType::real: return python_float_str(value.real);
    case ValueType::text: return std::string(value.bytes);
    case ValueType::blob: return python_bytes_str(value.bytes);
  }
  return {};
}

std::string_view python_type(ValueType type) {
  switch (type) {
    case ValueType::null: return "<class 'NoneType'>";
    case ValueType::integer: return "<class 'int'>";
    case ValueType::real: return "<class 'float'>";
    case ValueType::text: return "<class 'str'>";
    case ValueType::blob: return "<class 'bytes'>";
  }
  return {};
}

std::optional<double> python_float(std::string_view text) {
  while (!text.empty() && is_python_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_python_space(text.back())) text.remove_suffix(1);
  if (text.empty()) return std::nullopt;
  const bool negative = text.front() == '-';
  if (negative || text.front() == '+') text.remove_prefix(1);
  const double sign = negative ? -1.0 : 1.0;
  if (equals_ignore_case(text, "inf") || equals_ignore_case(text, "infinity"))
    return sign * std::numeric_limits<double>::infinity();
  if (equals_ignore_case(text, "nan")) return std::numeric_limits<double>::quiet_NaN();

  std::string mantissa;
  bool has_digits = take_digits(text, mantissa);
  if (!text.empty() && text.front() == '.') {
    text.remove_prefix(1);
    if (!has_digits) mantissa += '0';
    mantissa += '.';
    const bool fraction = take_digits(text, mantissa);
    if (!fraction) mantissa += '0';
    has_digits = has_digits || fraction;
  }
  if (!has_digits) return std::nullopt;
  std::string exponent;
  if (!text.empty() && (text.front() == 'e' || text.front() == 'E')) {
    text.remove_prefix(1);
    if (!text.empty() && (text.front() == '-' || text.front() == '+')) {
      if (text.front() == '-') exponent += '-';
      text.remove_prefix(1);
    }
    if (!take_digits(text, exponent)) return std::nullopt;
  }
  if (!text.empty()) return std::nullopt;
  return sign * to_double(mantissa, exponent);
}

double python_round3(double value) {
  if (!std::isfinite(value)) return value;
  std::array<char, 330> buffer{};  // a sign, 309 digits, a point, 3 digits
  auto* const end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::fixed, 3).ptr;
  double rounded = 0;
  std::from_chars(buffer.data(), end, rounded);
  return rounded;
}

}  // namespace trustsql
