#include "nl2sql/prompts/prompt_text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "base/sql_token.hpp"
#include "base/text.hpp"

namespace trustsql::nl2sql {

namespace {

constexpr std::string_view hex_digits = "0123456789abcdef";

// The code point of a valid character.
char32_t code_point(std::string_view character) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(character[i]); };
  if (character.size() == 1) return byte(0);
  auto value = static_cast<char32_t>(byte(0) & (0xffU >> (character.size() + 1)));
  for (std::size_t i = 1; i < character.size(); ++i) value = (value << 6) | (byte(i) & 0x3fU);
  return value;
}

struct Range {
  char32_t first;
  char32_t last;
};

// Invisible characters: those that Unicode classifies as control, format, line separator or paragraph separator, and
// variation selectors and blank fillers, which can carry hidden text as well.
constexpr auto invisible = std::to_array<Range>({
    {0x7f, 0x9f},
    {0xad, 0xad},
    {0x34f, 0x34f},
    {0x61c, 0x61c},
    {0x115f, 0x1160},
    {0x17b4, 0x17b5},
    {0x180b, 0x180f},
    {0x200b, 0x200f},
    {0x2028, 0x202e},
    {0x2060, 0x206f},
    {0x3164, 0x3164},
    {0xfe00, 0xfe0f},
    {0xfeff, 0xfeff},
    {0xffa0, 0xffa0},
    {0xfff0, 0xfffb},
    {0x1bca0, 0x1bca3},
    {0x1d173, 0x1d17a},
    {0xe0000, 0xe0fff},
});

bool is_invisible(char32_t c) {
  const auto next_range = std::upper_bound(invisible.begin(), invisible.end(), c,
                                           [](char32_t value, const Range& range) { return value < range.first; });
  return next_range != invisible.begin() && c <= std::prev(next_range)->last;
}

void append_escaped(std::string& out, char32_t c) {
  switch (c) {
    case '\n': out += "\\n"; return;
    case '\r': out += "\\r"; return;
    case '\t': out += "\\t"; return;
    default: break;
  }
  std::string digits;
  for (auto bits = static_cast<std::uint32_t>(c); bits != 0 || digits.size() < 2; bits >>= 4)
    digits.insert(digits.begin(), hex_digits[bits & 15]);
  if (c < 0x80) {
    out += "\\x" + digits;
  } else {
    out += "\\u{" + digits + "}";
  }
}

bool is_plain(std::string_view name) {
  const auto token = next_token(name, 0);
  return token.is(TokenKind::identifier) && token.length == name.size() &&
         std::all_of(name.begin(), name.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

}  // namespace

std::string visible_text(std::string_view text, std::size_t limit) {
  std::string out;
  out.reserve(std::min(text.size(), limit == 0 ? text.size() : 4 * limit));
  std::size_t characters = 0;
  while (!text.empty()) {
    if (limit != 0 && characters++ == limit) {
      out += "\u2026";
      break;
    }
    const auto step = utf8_step(text);
    const auto character = text.substr(0, step.length);
    text.remove_prefix(step.length);
    if (!step.valid) {
      out += "\ufffd";
    } else if (const auto c = code_point(character); c < 0x20 || (c >= 0x7f && is_invisible(c))) {
      append_escaped(out, c);
    } else {
      out += character;
    }
  }
  return out;
}

std::string cell_literal(ValueView value, std::size_t limit) {
  if (value.type == ValueType::text) return quote_string(visible_text(value.bytes, limit));
  if (value.type == ValueType::blob && limit != 0 && value.bytes.size() > limit) {
    auto shown = format_value(ValueView::of_blob(value.bytes.substr(0, limit)));
    shown.insert(shown.size() - 1, "\u2026");
    return shown;
  }
  if (value.type == ValueType::real && std::isinf(value.real)) return value.real > 0 ? "9e999" : "-9e999";
  return format_value(value);
}

std::string in_comment(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '/' && out.ends_with('*')) out += ' ';
    out += c;
  }
  return out;
}

std::string name_in_sql(std::string_view name) {
  return is_plain(name) ? std::string(name) : quote_identifier(visible_text(name));
}

std::string table_in_sql(const Catalog& catalog, const Table& table) {
  const auto name = name_in_sql(table.name);
  return catalog.find(table.name) == &table ? name : name_in_sql(table.schema) + "." + name;
}

}  // namespace trustsql::nl2sql
