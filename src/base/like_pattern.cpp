#include "base/like_pattern.hpp"

#include <array>
#include <cstring>

namespace trustsql {

namespace {

constexpr std::uint64_t steps_between_looks = 1 << 16;
// Comparing one character takes about as long as skipping this many bytes that need not be compared.
constexpr std::size_t bytes_of_a_step = 16;

bool is_continuation(unsigned char byte) { return (byte & 0xc0) == 0x80; }

std::uint32_t to_lower(std::uint32_t c) { return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c; }
std::uint32_t to_upper(std::uint32_t c) { return c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c; }

// SQLite's patternCompare() (func.c): it compares the part before a wildcard directly, and tries the part after it at
// every position of the text. The search ends as soon as no later position can match.
class Matcher {
 public:
  using Text = const unsigned char*;
  enum class Outcome { match, no_match, no_match_anywhere, stopped };

  Matcher(const PatternSyntax& syntax, const std::function<bool()>& stop) : syntax_(syntax), stop_(stop) {}

  Outcome compare(Text pattern, Text text) {
    Text escaped = nullptr;
    while (const std::uint32_t c = read_character(&pattern)) {
      if (has_to_stop(1)) return Outcome::stopped;
      if (c == syntax_.any_text) return behind_any_text(pattern, text);
      std::uint32_t wanted = c;
      if (c == syntax_.other) {
        if (syntax_.has_sets) {
          if (!matches_set(pattern, text)) return Outcome::no_match;
          continue;
        }
        wanted = read_character(&pattern);
        if (wanted == 0) return Outcome::no_match;
        escaped = pattern;
      }
      const std::uint32_t character = read_character(&text);
      if (wanted == character) continue;
      if (syntax_.ignores_case && wanted < 0x80 && character < 0x80 && to_lower(wanted) == to_lower(character))
        continue;
      if (wanted == syntax_.any_character && pattern != escaped && character != 0) continue;
      return Outcome::no_match;
    }
    return *text == 0 ? Outcome::match : Outcome::no_match;
  }

 private:
  bool has_to_stop(std::size_t steps) {
    steps_ += steps;
    if (steps_ < next_look_) return false;
    next_look_ = steps_ + steps_between_looks;
    return stop_ && stop_();
  }

  // `pattern` points behind a %.
  Outcome behind_any_text(Text pattern, Text text) {
    std::uint32_t c = read_character(&pattern);
    for (; c != 0 && (c == syntax_.any_text || c == syntax_.any_character); c = read_character(&pattern))
      if (c == syntax_.any_character && read_character(&text) == 0) return Outcome::no_match_anywhere;
    if (c == 0) return Outcome::match;
    if (c == syntax_.other) {
      if (syntax_.has_sets) return each_place(pattern - 1, text);
      c = read_character(&pattern);
      if (c == 0) return Outcome::no_match_anywhere;
    }
    return c < 0x80 ? behind_ascii(c, pattern, text) : behind_character(c, pattern, text);
  }

  Outcome each_place(Text pattern, Text text) {
    while (*text != 0) {
      const auto outcome = compare(pattern, text);
      if (outcome != Outcome::no_match) return outcome;
      if (*text++ >= 0xc0)
        while (is_continuation(*text)) ++text;
    }
    return Outcome::no_match_anywhere;
  }

  // Tries `pattern` after each occurrence of the ASCII character `c`.
  Outcome behind_ascii(std::uint32_t c, Text pattern, Text text) {
    const std::array<char, 3> either = {static_cast<char>(syntax_.ignores_case ? to_upper(c) : c),
                                        static_cast<char>(syntax_.ignores_case ? to_lower(c) : 0), 0};
    while (true) {
      const std::size_t passed = std::strcspn(reinterpret_cast<const char*>(text), either.data());
      if (has_to_stop(passed / bytes_of_a_step)) return Outcome::stopped;
      text += passed;
      if (*text == 0) return Outcome::no_match_anywhere;
      const auto outcome = compare(pattern, ++text);
      if (outcome != Outcome::no_match) return outcome;
    }
  }

  Outcome behind_character(std::uint32_t c, Text pattern, Text text) {
    while (const std::uint32_t character = read_character(&text)) {
      if (has_to_stop(1)) return Outcome::stopped;
      if (character != c) continue;
      const auto outcome = compare(pattern, text);
      if (outcome != Outcome::no_match) return outcome;
    }
    return Outcome::no_match_anywhere;
  }

  // Consumes a set (`pattern` points behind its [) and one character of the text; whether the set has the character.
  static bool matches_set(Text& pattern, Text& text) {
    const std::uint32_t c = read_character(&text);
    if (c == 0) return false;
    bool seen = false;
    bool inverted = false;
    std::uint32_t before = 0;
    std::uint32_t member = read_character(&pattern);
    if (member == '^') {
      inverted = true;
      member = read_character(&pattern);
    }
    if (member == ']') {
      seen = c == ']';
      member = read_character(&pattern);
    }
    for (; member != 0 && member != ']'; member = read_character(&pattern)) {
      if (member == '-' && *pattern != ']' && *pattern != 0 && before > 0) {
        member = read_character(&pattern);
        seen = seen || (c >= before && c <= member);
        before = 0;
      } else {
        seen = seen || c == member;
        before = member;
      }
    }
    return member != 0 && seen != inverted;
  }

  const PatternSyntax& syntax_;
  const std::function<bool()>& stop_;
  std::uint64_t steps_ = 0;
  std::uint64_t next_look_ = steps_between_looks;
};

}  // namespace

std::uint32_t read_character(const unsigned char** text) {
  std::uint32_t c = **text;
  if (c == 0) return 0;
  ++*text;
  if (c < 0xc0) return c;
  c &= c < 0xe0 ? 0x1fU : c < 0xf0 ? 0x0fU : c < 0xf8 ? 0x07U : c < 0xfc ? 0x03U : c < 0xfe ? 0x01U : 0U;
  while (is_continuation(**text)) c = (c << 6) + (*(*text)++ & 0x3fU);
  if (c < 0x80 || (c & 0xfffff800U) == 0xd800 || (c & 0xfffffffeU) == 0xfffe) c = 0xfffd;
  return c;
}

PatternSyntax like_syntax(std::uint32_t escape) {
  PatternSyntax syntax{.any_text = '%', .any_character = '_', .other = escape, .has_sets = false, .ignores_case = true};
  if (escape == syntax.any_text) syntax.any_text = 0;
  if (escape == syntax.any_character) syntax.any_character = 0;
  return syntax;
}

PatternSyntax glob_syntax() {
  return {.any_text = '*', .any_character = '?', .other = '[', .has_sets = true, .ignores_case = false};
}

PatternMatch match_pattern(const char* pattern, const char* text, const PatternSyntax& syntax,
                           const std::function<bool()>& stop) {
  Matcher matcher(syntax, stop);
  switch (
      matcher.compare(reinterpret_cast<const unsigned char*>(pattern), reinterpret_cast<const unsigned char*>(text))) {
    case Matcher::Outcome::match: return PatternMatch::match;
    case Matcher::Outcome::stopped: return PatternMatch::stopped;
    default: return PatternMatch::no_match;
  }
}

}  // namespace trustsql
