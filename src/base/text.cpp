#include "base/text.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>

namespace trustsql {

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  std::size_t start = 0;
  while (true) {
    const std::size_t end = text.find(separator, start);
    if (end == std::string_view::npos) break;
    parts.push_back(text.substr(start, end - start));
    start = end + 1;
  }
  parts.push_back(text.substr(start));
  return parts;
}

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\f' || c == '\r'; }

std::string_view trim(std::string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

char to_lower_ascii(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

std::string to_lower_ascii(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = to_lower_ascii(c);
  return lower;
}

bool equals_ignore_case(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return to_lower_ascii(x) == to_lower_ascii(y); });
}

bool contains_ignore_case(std::string_view text, std::string_view word) {
  if (word.empty()) return true;
  const char first = to_lower_ascii(word.front());
  for (std::size_t i = 0; i + word.size() <= text.size(); ++i)
    if (to_lower_ascii(text[i]) == first && equals_ignore_case(text.substr(i, word.size()), word)) return true;
  return false;
}

Utf8Step utf8_step(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {1, true};
  std::size_t length = 0;
  unsigned char low = 0x80;
  unsigned char high = 0xbf;
  if (lead >= 0xc2 && lead <= 0xdf) {
    length = 2;
  } else if (lead >= 0xe0 && lead <= 0xef) {
    length = 3;
    if (lead == 0xe0) low = 0xa0;
    if (lead == 0xed) high = 0x9f;
  } else if (lead >= 0xf0 && lead <= 0xf4) {
    length = 4;
    if (lead == 0xf0) low = 0x90;
    if (lead == 0xf4) high = 0x8f;
  } else {
    return {1, false};
  }
  for (std::size_t i = 1; i < length; ++i) {
    if (i >= text.size() || byte(i) < low || byte(i) > high) return {i, false};
    low = 0x80;
    high = 0xbf;
  }
  return {length, true};
}

bool is_valid_utf8(std::string_view text) {
  while (!text.empty()) {
    if (text.size() >= 8) {  // eight bytes of ASCII at once
      std::uint64_t word = 0;
      std::memcpy(&word, text.data(), 8);
      if ((word & 0x8080808080808080U) == 0) {
        text.remove_prefix(8);
        continue;
      }
    }
    const auto step = utf8_step(text);
    if (!step.valid) return false;
    text.remove_prefix(step.length);
  }
  return true;
}

std::string drop_invalid_utf8(std::string_view text) {
  std::string kept;
  kept.reserve(text.size());
  while (!text.empty()) {
    const auto step = utf8_step(text);
    if (step.valid) kept.append(text.substr(0, step.length));
    text.remove_prefix(step.length);
  }
  return kept;
}

std::string replace_invalid_utf8(std::string text) {
  if (is_valid_utf8(text)) return text;
  std::string valid;
  for (std::string_view remaining = text; !remaining.empty();) {
    const auto step = utf8_step(remaining);
    valid += step.valid ? remaining.substr(0, step.length) : std::string_view("\xef\xbf\xbd");
    remaining.remove_prefix(step.length);
  }
  return valid;
}

std::string format_real(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "Inf" : "-Inf";
  char buffer[32];
  const auto end = std::to_chars(std::begin(buffer), std::end(buffer), value).ptr;
  std::string text(std::begin(buffer), end);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

std::string print_real(double value) {
  if (!std::isfinite(value)) return format_real(value);
  char buffer[32];
  const auto end = std::to_chars(std::begin(buffer), std::end(buffer), value, std::chars_format::general, 15).ptr;
  std::string text(std::begin(buffer), end);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

std::string format_value(ValueView value) {
  switch (value.type) {
    case ValueType::null: return "NULL";
    case ValueType::integer: return std::to_string(value.integer);
    case ValueType::real: return format_real(value.real);
    case ValueType::text: return std::string(value.bytes);
    case ValueType::blob: {
      static constexpr std::string_view digits = "0123456789ABCDEF";
      std::string text = "X'";
      for (const char c : value.bytes) {
        text += digits[static_cast<unsigned char>(c) >> 4];
        text += digits[static_cast<unsigned char>(c) & 15];
      }
      return text + "'";
    }
  }
  return {};
}

std::string quote_for_message(std::string_view text, std::size_t limit) {
  std::string quoted = "'";
  std::size_t used = 0;
  while (!text.empty()) {
    const auto step = utf8_step(text);
    if (used + step.length > limit) {
      quoted += "...";
      break;
    }
    used += step.length;
    const auto character = text.substr(0, step.length);
    if (!step.valid) {
      quoted += "\xef\xbf\xbd";
    } else if (step.length == 1 && (static_cast<unsigned char>(character[0]) < 0x20 || character[0] == 0x7f)) {
      quoted += ' ';
    } else {
      quoted += character;
    }
    text.remove_prefix(step.length);
  }
  return quoted + "'";
}

namespace {

std::string quote(std::string_view text, char mark) {
  std::string quoted(1, mark);
  for (const char c : text) {
    if (c == mark) quoted += mark;
    quoted += c;
  }
  quoted += mark;
  return quoted;
}

}  // namespace

std::string quote_identifier(std::string_view name) { return quote(name, '"'); }
std::string quote_string(std::string_view text) { return quote(text, '\''); }

}  // namespace trustsql
