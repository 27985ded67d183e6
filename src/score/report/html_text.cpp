#include "score/report/html_text.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <vector>

#include "base/text.hpp"

namespace trustsql {

namespace {

constexpr std::string_view replacement = "\xef\xbf\xbd";
constexpr std::string_view ellipsis = "\xe2\x80\xa6";
constexpr std::string_view minus = "\xe2\x88\x92";

// The code point of a character that utf8_step found to be valid.
char32_t code_point(std::string_view character) {
  const auto byte = [&](std::size_t i) { return static_cast<char32_t>(static_cast<unsigned char>(character[i])); };
  switch (character.size()) {
    case 1: return byte(0);
    case 2: return (byte(0) & 0x1f) << 6 | (byte(1) & 0x3f);
    case 3: return (byte(0) & 0x0f) << 12 | (byte(1) & 0x3f) << 6 | (byte(2) & 0x3f);
    default: return (byte(0) & 0x07) << 18 | (byte(1) & 0x3f) << 12 | (byte(2) & 0x3f) << 6 | (byte(3) & 0x3f);
  }
}

bool is_replaced(char32_t c) {
  return c < 0x20 || (c >= 0x7f && c <= 0x9f) || (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069) ||
         c == 0xfffe || c == 0xffff;
}

// The characters of `text`, with U+FFFD in place of every ill-formed run.
std::vector<std::string_view> characters_of(std::string_view text) {
  std::vector<std::string_view> characters;
  while (!text.empty()) {
    const auto step = utf8_step(text);
    characters.push_back(step.valid ? text.substr(0, step.length) : replacement);
    text.remove_prefix(step.length);
  }
  return characters;
}

// The width of a character in units of the font size, estimated from the widest of the common sans-serif fonts.
double character_width(std::string_view character) {
  const char32_t c = code_point(character);
  if (c >= 0x1100) return c >= 0x2000 && c < 0x2e80 ? 0.8 : 1.0;
  if (c >= 0x80) return 0.66;
  static constexpr std::string_view narrow = " !'(),./:;I[]ijl|ftr";
  static constexpr std::string_view wide = "MW@mw%";
  const char letter = static_cast<char>(c);
  if (narrow.find(letter) != std::string_view::npos) return 0.4;
  if (wide.find(letter) != std::string_view::npos) return 0.95;
  return letter >= 'A' && letter <= 'Z' ? 0.72 : 0.62;
}

std::string join_range(const std::vector<std::string_view>& characters, std::size_t from, std::size_t to) {
  std::string joined;
  for (std::size_t i = from; i < to; ++i) joined += characters[i];
  return joined;
}

std::string without_middle(const std::vector<std::string_view>& characters, std::size_t keep) {
  const std::size_t head = (keep + 1) / 2;
  return join_range(characters, 0, head) + std::string(ellipsis) +
         join_range(characters, characters.size() - (keep - head), characters.size());
}

std::string fixed(double value, int decimals) {
  std::array<char, 400> buffer{};  // 309 digits before the point at most
  const auto end =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::fixed, decimals).ptr;
  return {buffer.data(), end};
}

// Whether the number is negative; "-0.00" and the like are zero.
bool is_negative(std::string_view digits) {
  return digits.starts_with('-') && digits.find_first_of("123456789") != std::string_view::npos;
}

std::string escape(std::string_view text, bool keep_lines) {
  std::string escaped;
  escaped.reserve(text.size() + text.size() / 8);
  while (!text.empty()) {
    const auto step = utf8_step(text);
    const auto character = text.substr(0, step.length);
    text.remove_prefix(step.length);
    if (!step.valid) {
      escaped += replacement;
      continue;
    }
    switch (const char32_t c = code_point(character); c) {
      case '&': escaped += "&amp;"; break;
      case '<': escaped += "&lt;"; break;
      case '>': escaped += "&gt;"; break;
      case '"': escaped += "&quot;"; break;
      case '\'': escaped += "&#39;"; break;
      case '\t': escaped += ' '; break;
      case '\n': escaped += keep_lines ? '\n' : ' '; break;
      case '\r':
        if (!keep_lines) escaped += ' ';
        if (keep_lines && !text.starts_with('\n')) escaped += '\n';
        break;
      default: escaped += is_replaced(c) ? replacement : character;
    }
  }
  return escaped;
}

}  // namespace

std::string html_text(std::string_view text) { return escape(text, false); }

std::string html_lines(std::string_view text) { return escape(text, true); }

std::string cut_text(std::string_view text, std::size_t characters) {
  const auto parts = characters_of(text);
  if (parts.size() <= characters) return join_range(parts, 0, parts.size());
  return join_range(parts, 0, characters - 1) + std::string(ellipsis);
}

std::string cut_text_middle(std::string_view text, std::size_t characters) {
  const auto parts = characters_of(text);
  if (parts.size() <= characters) return join_range(parts, 0, parts.size());
  return without_middle(parts, characters - 1);
}

double text_width(std::string_view text, double size) {
  double width = 0;
  for (const auto character : characters_of(text)) width += character_width(character);
  return width * size;
}

std::string fit_text(std::string_view text, double size, double width) {
  constexpr std::size_t longest = 400;  // characters; a longer name fits into no label
  const std::string start = cut_text_middle(text, longest);
  if (text_width(start, size) <= width) return start;
  const auto parts = characters_of(start);
  std::size_t keep = parts.size() - 1;
  while (keep > 1 && text_width(without_middle(parts, keep), size) > width) --keep;
  return without_middle(parts, keep);
}

std::string plain_number(double value, int decimals) {
  std::string digits = fixed(value, decimals);
  if (digits.find('.') != std::string::npos) {
    while (digits.back() == '0') digits.pop_back();
    if (digits.back() == '.') digits.pop_back();
  }
  return digits == "-0" ? "0" : digits;
}

std::string print_number(double value, int decimals) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "\xe2\x88\x9e" : std::string(minus) + "\xe2\x88\x9e";
  std::string digits = fixed(value, decimals);
  const bool negative = is_negative(digits);
  if (digits.starts_with('-')) digits.erase(0, 1);
  const std::size_t whole = std::min(digits.find('.'), digits.size());
  std::string printed = negative ? std::string(minus) : std::string();
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && i < whole && (whole - i) % 3 == 0) printed += ',';
    printed += digits[i];
  }
  return printed;
}

std::string print_count(std::int64_t count) { return print_number(static_cast<double>(count), 0); }

std::string print_significant(double value, int digits) {
  if (!std::isfinite(value)) return print_number(value);
  std::array<char, 64> buffer{};
  const auto end =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::general, digits).ptr;
  std::string printed;
  for (const char c : std::string_view(buffer.data(), static_cast<std::size_t>(end - buffer.data()))) {
    if (c == '-') {
      printed += minus;
    } else if (c != '+') {
      printed += c;
    }
  }
  return printed;
}

std::vector<std::string> tick_labels(const std::vector<double>& ticks) {
  static constexpr std::array<std::pair<double, std::string_view>, 5> units = {
      {{1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "K"}, {1, ""}}};
  constexpr int max_decimals = 6;
  double step = std::numeric_limits<double>::infinity();  // smallest distance between two ticks
  double largest = 0;
  for (std::size_t i = 0; i < ticks.size(); ++i) {
    largest = std::max(largest, std::abs(ticks[i]));
    if (i > 0) step = std::min(step, std::abs(ticks[i] - ticks[i - 1]));
  }
  if (!std::isfinite(step)) step = largest > 0 ? largest : 1;
  std::vector<std::string> labels;
  for (const double tick : ticks) {
    const double size = std::abs(tick);
    std::size_t unit = 0;
    while (unit + 1 < units.size() && size < units[unit].first) ++unit;
    const auto& [scale, name] = units[unit];
    // Rounded up; the tolerance treats a step that is a power of ten up to rounding as exact.
    const auto decimals = static_cast<int>(std::max(0.0, std::ceil(-std::log10(step / scale) - 1e-6)));
    if (size >= 1e15 || decimals > max_decimals) {
      labels.push_back(
          print_significant(tick, std::max(1, static_cast<int>(std::ceil(std::log10(largest / step) - 1e-6)) + 1)));
      continue;
    }
    const std::string digits = plain_number(size / scale, decimals);
    labels.push_back((tick < 0 && digits != "0" ? std::string(minus) : std::string()) + digits + std::string(name));
  }
  return labels;
}

}  // namespace trustsql
