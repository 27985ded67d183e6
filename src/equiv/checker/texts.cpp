#include "equiv/checker/texts.hpp"

#include <algorithm>

namespace trustsql::equiv::checker {

bool is_like(std::string_view text, std::string_view pattern) {
  std::size_t at = 0;
  std::size_t part = 0;
  std::size_t last_percent = std::string_view::npos;
  std::size_t skipped_to = 0;  // by that percent sign
  while (at < text.size()) {
    if (part < pattern.size() && pattern[part] == '%') {
      last_percent = part++;
      skipped_to = at;
    } else if (part < pattern.size() && (pattern[part] == '_' || pattern[part] == text[at])) {
      ++at;
      ++part;
    } else if (last_percent != std::string_view::npos) {
      part = last_percent + 1;
      at = ++skipped_to;
    } else {
      return false;
    }
  }
  while (part < pattern.size() && pattern[part] == '%') ++part;
  return part == pattern.size();
}

bool is_short_ascii(const ValueView& value) {
  constexpr std::size_t longest = 40;
  return value.type == ValueType::text && value.bytes.size() <= longest &&
         std::all_of(value.bytes.begin(), value.bytes.end(), [](char c) { return c > 0; });
}

bool is_pattern_of_bytes(const ValueView& pattern) {
  return is_short_ascii(pattern) && std::none_of(pattern.bytes.begin(), pattern.bytes.end(), [](char c) {
           return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
         });
}

bool is_glob(std::string_view text, std::string_view pattern) {
  auto star = pattern.find('*');
  if (star == std::string_view::npos) return text == pattern;
  if (!text.starts_with(pattern.substr(0, star))) return false;
  text.remove_prefix(star);
  pattern.remove_prefix(star + 1);
  while ((star = pattern.find('*')) != std::string_view::npos) {
    const auto at = text.find(pattern.substr(0, star));
    if (at == std::string_view::npos) return false;
    text.remove_prefix(at + star);
    pattern.remove_prefix(star + 1);
  }
  return text.ends_with(pattern);
}

bool has_stars_only(const ValueView& pattern) {
  return is_short_ascii(pattern) && pattern.bytes.find_first_of("?[") == std::string_view::npos;
}

std::int64_t characters_in(std::string_view text) {
  return std::count_if(text.begin(), text.end(),
                       [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; });
}

std::string_view part_of_text(std::string_view text, std::int64_t first, std::int64_t length) {
  const auto skip = [&](std::size_t at, std::int64_t characters) {
    while (characters-- > 0 && at < text.size()) {
      const bool several = (static_cast<unsigned char>(text[at++]) & 0xC0U) == 0xC0U;
      while (several && at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U) ++at;
    }
    return at;
  };
  const auto begin = skip(0, first - 1);
  return text.substr(begin, skip(begin, length) - begin);
}

}  // namespace trustsql::equiv::checker
