#include "equiv/checker/values.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "base/text.hpp"

namespace trustsql::equiv::checker {

namespace {

constexpr auto largest = std::numeric_limits<std::int64_t>::max();

}  // namespace

NumberInText number_in(std::string_view text) {
  std::size_t position = 0;
  while (position < text.size() && is_blank(text[position])) ++position;
  const auto begin = position;
  if (position < text.size() && (text[position] == '+' || text[position] == '-')) ++position;
  const auto first_digit = position;
  while (position < text.size() && is_digit(text[position])) ++position;
  std::size_t digits = position - first_digit;
  bool whole = true;
  if (position < text.size() && text[position] == '.') {
    const auto point = position++;
    while (position < text.size() && is_digit(text[position])) ++position;
    digits += position - point - 1;
    whole = false;
  }
  NumberInText result;
  if (digits == 0) return result;
  if (position < text.size() && (text[position] == 'e' || text[position] == 'E')) {
    auto exponent = position + 1;
    if (exponent < text.size() && (text[exponent] == '+' || text[exponent] == '-')) ++exponent;
    if (exponent < text.size() && is_digit(text[exponent])) {
      while (exponent < text.size() && is_digit(text[exponent])) ++exponent;
      position = exponent;
      whole = false;
    }
  }
  const auto from = text[begin] == '+' ? begin + 1 : begin;
  const std::string_view number = text.substr(from, position - from);
  while (position < text.size() && is_blank(text[position])) ++position;
  result.all = position == text.size();
  result.found = true;
  std::int64_t exact = 0;
  if (whole && std::from_chars(number.data(), number.data() + number.size(), exact).ec == std::errc()) {
    result.value = integer(exact);
  } else {
    result.value = real(std::strtod(std::string(number).c_str(), nullptr));
  }
  return result;
}

ValueView without_fraction(ValueView value) {
  if (value.type != ValueType::real || !(std::fabs(value.real) < 9e18) || value.real != std::floor(value.real))
    return value;
  return integer(static_cast<std::int64_t>(value.real));
}

ValueView number_of(ValueView value) {
  return value.type == ValueType::text || value.type == ValueType::blob ? number_in(value.bytes).value : value;
}

double as_real(ValueView value) {
  return value.type == ValueType::integer ? static_cast<double>(value.integer) : value.real;
}

std::int64_t as_integer(ValueView value) {
  if (value.type == ValueType::integer) return value.integer;
  if (value.real >= 9223372036854775807.0) return largest;
  if (value.real <= -9223372036854775808.0) return smallest_integer;
  return static_cast<std::int64_t>(value.real);
}

Truth truth_of(ValueView value) {
  if (value.is_null()) return Truth::null;
  return as_real(number_of(value)) != 0 ? Truth::yes : Truth::no;
}

ValueView arithmetic(ast::BinaryOp op, ValueView left, ValueView right) {
  using Op = ast::BinaryOp;
  const auto a = number_of(left);
  const auto b = number_of(right);
  if (a.is_null() || b.is_null()) return null();
  if (op == Op::remainder) {
    const auto i = as_integer(a);
    const auto j = as_integer(b);
    if (j == 0) return null();
    const auto rest = j == -1 ? 0 : i % j;
    return a.type == ValueType::integer && b.type == ValueType::integer ? integer(rest)
                                                                        : real(static_cast<double>(rest));
  }
  if (a.type == ValueType::integer && b.type == ValueType::integer) {
    std::int64_t exact = 0;
    switch (op) {
      case Op::add:
        if (!__builtin_add_overflow(a.integer, b.integer, &exact)) return integer(exact);
        break;
      case Op::subtract:
        if (!__builtin_sub_overflow(a.integer, b.integer, &exact)) return integer(exact);
        break;
      case Op::multiply:
        if (!__builtin_mul_overflow(a.integer, b.integer, &exact)) return integer(exact);
        break;
      default:
        if (b.integer == 0) return null();
        if (b.integer != -1 || a.integer != smallest_integer) return integer(a.integer / b.integer);
    }
  }
  const double x = as_real(a);
  const double y = as_real(b);
  switch (op) {
    case Op::add: return real(x + y);
    case Op::subtract: return real(x - y);
    case Op::multiply: return real(x * y);
    default: return y == 0 ? null() : real(x / y);
  }
}

ValueView bits(ast::BinaryOp op, ValueView left, ValueView right) {
  using Op = ast::BinaryOp;
  if (left.is_null() || right.is_null()) return null();
  const auto a = as_integer(number_of(left));
  const auto b = as_integer(number_of(right));
  if (op == Op::bit_and) return integer(a & b);
  if (op == Op::bit_or) return integer(a | b);
  const bool to_the_left = (op == Op::shift_left) == (b >= 0);
  const auto by = b >= 0 ? static_cast<std::uint64_t>(b) : 0 - static_cast<std::uint64_t>(b);
  if (to_the_left) return integer(by >= 64 ? 0 : static_cast<std::int64_t>(static_cast<std::uint64_t>(a) << by));
  return integer(by >= 64 ? (a < 0 ? -1 : 0) : a >> by);
}

std::span<const ValueView> representative_values() {
  static const std::array values{
      ValueView{},
      ValueView::of_integer(0),
      ValueView::of_integer(1),
      ValueView::of_integer(-1),
      ValueView::of_integer(7),
      ValueView::of_integer(largest),
      ValueView::of_integer(smallest_integer),
      ValueView::of_real(0.0),
      ValueView::of_real(1.0),
      ValueView::of_real(2.5),
      ValueView::of_real(-0.5),
      ValueView::of_real(9007199254740993.0),
      ValueView::of_real(1e300),
      ValueView::of_text(""),
      ValueView::of_text("a"),
      ValueView::of_text("A"),
      ValueView::of_text("a "),
      ValueView::of_text("1"),
      ValueView::of_text("1.0"),
      ValueView::of_text(" 0"),
      ValueView::of_text("2x"),
      ValueView::of_blob(""),
      ValueView::of_blob("a"),
      ValueView::of_blob("1"),
  };
  return values;
}

namespace {

// The first character of `text`, which is UTF-8: its code point, or a byte that does not begin a character.
std::uint32_t first_character(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint32_t>(static_cast<unsigned char>(text[i])); };
  const std::size_t length = byte(0) >= 0xF0 ? 4 : byte(0) >= 0xE0 ? 3 : byte(0) >= 0xC0 ? 2 : 1;
  if (length == 1 || text.size() < length) return byte(0);
  std::uint32_t character = byte(0) & (0xFFU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) character = (character << 6) | (byte(i) & 0x3FU);
  return character;
}

// The bytes of a character in UTF-16le.
std::string utf16le(std::uint32_t character) {
  std::string bytes;
  const auto add = [&](std::uint32_t unit) {
    bytes += static_cast<char>(unit & 0xFFU);
    bytes += static_cast<char>((unit >> 8) & 0xFFU);
  };
  if (character < 0x10000) {
    add(character);
  } else {
    add(0xD800 + (((character - 0x10000) >> 10) & 0x3FFU));
    add(0xDC00 + (character & 0x3FFU));
  }
  return bytes;
}

std::strong_ordering order_in_utf16le(std::string_view a, std::string_view b) {
  const auto at = static_cast<std::size_t>(std::ranges::mismatch(a, b).in1 - a.begin());
  if (at == a.size() || at == b.size()) return a.size() <=> b.size();
  auto begin = at;  // of the first character that differs
  while (begin > 0 && at - begin < 3 && (static_cast<unsigned char>(a[begin]) & 0xC0U) == 0x80U) --begin;
  const auto order = utf16le(first_character(a.substr(begin))) <=> utf16le(first_character(b.substr(begin)));
  return order == 0 ? a <=> b : order;  // text that is not UTF-8
}

}  // namespace

int order_of(ValueView a, ValueView b, std::string_view collation, Encoding encoding) {
  const auto sign = [](std::strong_ordering order) { return order < 0 ? -1 : order > 0 ? 1 : 0; };
  const bool texts = a.type == ValueType::text && b.type == ValueType::text;
  if (texts && collation == "BINARY" && encoding == Encoding::utf16le) return sign(order_in_utf16le(a.bytes, b.bytes));
  if (!texts || collation == "BINARY") return sign(compare(a, b));
  if (collation == "RTRIM") {
    const auto trimmed = [](std::string_view text) { return text.substr(0, text.find_last_not_of(' ') + 1); };
    return sign(trimmed(a.bytes) <=> trimmed(b.bytes));
  }
  auto left = to_lower_ascii(a.bytes);
  auto right = to_lower_ascii(b.bytes);
  if (collation != "NOCASE") {
    std::reverse(left.begin(), left.end());
    std::reverse(right.begin(), right.end());
  }
  return sign(left <=> right);
}

}  // namespace trustsql::equiv::checker
