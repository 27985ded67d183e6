// Small helpers for text and numbers: joining and splitting, UTF-8, the printed forms of values.
#pragma once

#include <concepts>
#include <string>
#include <string_view>
#include <vector>

#include "base/value.hpp"

namespace trustsql {

std::vector<std::string_view> split(std::string_view text, char separator);
// The parts would outlive the text.
template <std::same_as<std::string> Text>
void split(Text&& text, char separator) = delete;

template <class Range>
std::string join(const Range& parts, std::string_view separator) {
  std::string joined;
  bool first = true;
  for (const auto& part : parts) {
    if (!first) joined += separator;
    first = false;
    joined += part;
  }
  return joined;
}

// White space as in SQL: space, tab, line feed, form feed, carriage return.
bool is_space(char c);
inline bool is_digit(char c) { return c >= '0' && c <= '9'; }
std::string_view trim(std::string_view text);

// ASCII letters only, as SQLite folds identifiers and keywords.
char to_lower_ascii(char c);
std::string to_lower_ascii(std::string_view text);
bool equals_ignore_case(std::string_view a, std::string_view b);
// Whether `text` contains `word`, ASCII case ignored.
bool contains_ignore_case(std::string_view text, std::string_view word);

// One step through a text that may not be valid UTF-8.
struct Utf8Step {
  std::size_t length;  // bytes of the character, or of the ill-formed run in its place (at least 1)
  bool valid;
};
// The step at the start of `text`, by Table 3-7 of the Unicode standard; an ill-formed run is its maximal prefix.
// Precondition: `text` is not empty.
Utf8Step utf8_step(std::string_view text);
// Whether all of `text` is valid UTF-8 (no overlong forms, no surrogates, at most U+10FFFF).
bool is_valid_utf8(std::string_view text);
// `text` without the bytes that cannot be decoded, the way Python's bytes.decode(errors='ignore') drops them.
std::string drop_invalid_utf8(std::string_view text);
// `text` with each ill-formed run replaced by U+FFFD; unchanged if it is valid.
std::string replace_invalid_utf8(std::string text);

// The shortest decimal form that reads back as the same double, always with a decimal point or an exponent
// ("1.0", "1e+100"), "Inf" and "-Inf" for infinities.
std::string format_real(double value);
// The same with at most 15 significant digits, as the sqlite3 shell prints it: for messages that people read, where
// 1 - 0.95 is 0.05 and not 0.050000000000000044.
std::string print_real(double value);
// A value as text: NULL as "NULL", numbers in decimal, texts unchanged, blobs as X'..'.
std::string format_value(ValueView value);

// `text` in single quotes for an error message: cut after `limit` bytes (at a character), control characters
// and invalid UTF-8 replaced, so that a message is always printable UTF-8.
std::string quote_for_message(std::string_view text, std::size_t limit = 200);

// `name` as a double-quoted SQL identifier, `text` as a single-quoted SQL string.
std::string quote_identifier(std::string_view name);
std::string quote_string(std::string_view text);

}  // namespace trustsql
