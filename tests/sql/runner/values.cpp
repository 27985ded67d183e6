#include "values.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string_view>

namespace test_runner {

namespace {

std::string hex(std::string_view bytes) {
  static constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    text += digits[byte >> 4];
    text += digits[byte & 15];
  }
  return text;
}

// The length of the UTF-8 sequence at the front of `text`; 0 if there is none.
std::size_t sequence_length(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text.front());
  const std::size_t length = lead < 0x80   ? 1
                             : lead < 0xc2 ? 0
                             : lead < 0xe0 ? 2
                             : lead < 0xf0 ? 3
                             : lead < 0xf5 ? 4
                                           : 0;
  if (length == 0 || length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((static_cast<unsigned char>(text[i]) & 0xc0) != 0x80) return 0;
  return length;
}

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

std::string text_literal(std::string_view text) {
  const bool escaped = std::any_of(text.begin(), text.end(), is_control);
  std::string quoted;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = sequence_length(text.substr(i));
    if (length == 0) return "CAST(X'" + hex(text) + "' AS TEXT)";
    const char c = text[i];
    if (is_control(c)) {
      quoted += "\\u00" + hex(text.substr(i, 1));
    } else {
      quoted += text.substr(i, length);
      if (c == '\'' || (c == '\\' && escaped)) quoted += c;
    }
    i += length;
  }
  return escaped ? "unistr('" + quoted + "')" : "'" + quoted + "'";
}

std::string real_text(double real) {
  if (std::isinf(real)) return real < 0 ? "-9.0e+999" : "9.0e+999";
  std::array<char, 32> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), real).ptr;
  std::string text(buffer.data(), end);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

std::string_view bytes_of(sqlite3_stmt* statement, int column) {
  const auto* data = static_cast<const char*>(sqlite3_column_blob(statement, column));
  return {data != nullptr ? data : "", static_cast<std::size_t>(sqlite3_column_bytes(statement, column))};
}

bool to_double(const std::string& text, double& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

}  // namespace

std::string literal(sqlite3_stmt* statement, int column) {
  switch (sqlite3_column_type(statement, column)) {
    case SQLITE_INTEGER: return std::to_string(sqlite3_column_int64(statement, column));
    case SQLITE_FLOAT: return real_text(sqlite3_column_double(statement, column));
    case SQLITE_TEXT: return text_literal(bytes_of(statement, column));
    case SQLITE_BLOB: return "X'" + hex(bytes_of(statement, column)) + "'";
    default: return "NULL";
  }
}

std::string raw_text(sqlite3_stmt* statement, int column) {
  switch (sqlite3_column_type(statement, column)) {
    case SQLITE_NULL: return "";
    case SQLITE_TEXT:
    case SQLITE_BLOB: return std::string(bytes_of(statement, column));
    default: return literal(statement, column);
  }
}

bool nearly_equal(const std::string& expected, const std::string& actual, double tolerance) {
  if (expected == actual) return true;
  double a = 0;
  double b = 0;
  if (tolerance == 0 || !to_double(expected, a) || !to_double(actual, b)) return false;
  // An integer is not a real, however close.
  const auto is_real = [](const std::string& text) { return text.find_first_of(".e") != std::string::npos; };
  return is_real(expected) == is_real(actual) && std::fabs(a - b) <= tolerance * std::max(1.0, std::fabs(a));
}

}  // namespace test_runner
