#include "semparse/examples/pattern_words.hpp"

#include <cstdlib>

#include "base/text.hpp"
#include "semparse/words/words.hpp"

namespace trustsql::semparse {

namespace {

bool is_number_byte(char c) { return c >= '0' && c <= '9'; }
bool is_letter_byte(char c) {
  const char lower = to_lower_ascii(c);
  return (lower >= 'a' && lower <= 'z') || static_cast<unsigned char>(c) >= 0x80;
}

// The end of the number that begins at `begin`: digits, thousands separators, a decimal part.
std::size_t end_of_number(std::string_view text, std::size_t begin) {
  const auto digit_at = [text](std::size_t i) { return i < text.size() && is_number_byte(text[i]); };
  std::size_t end = begin;
  while (digit_at(end)) ++end;
  const auto thousands = [&](std::size_t comma) {
    return comma < text.size() && text[comma] == ',' && digit_at(comma + 1) && digit_at(comma + 2) &&
           digit_at(comma + 3) && !digit_at(comma + 4);
  };
  if (end - begin <= 3)
    while (thousands(end)) end += 4;
  if (end + 1 < text.size() && text[end] == '.' && digit_at(end + 1)) {
    ++end;
    while (digit_at(end)) ++end;
  }
  return end;
}

}  // namespace

std::vector<PatternWord> pattern_words(std::string_view text) {
  std::vector<PatternWord> words;
  for (std::size_t i = 0; i < text.size() && words.size() < max_pattern_words;) {
    const auto begin = i;
    PatternWord word;
    if (is_number_byte(text[i])) {
      i = end_of_number(text, i);
      for (const char c : text.substr(begin, i - begin))
        if (c != ',') word.text += c;
      word.number = std::strtod(word.text.c_str(), nullptr);
      word.digits = true;
    } else if (is_letter_byte(text[i])) {
      while (i < text.size() && (is_letter_byte(text[i]) || is_number_byte(text[i]))) ++i;
      word.text = to_lower_ascii(text.substr(begin, i - begin));
      if (word.text == "s" && begin > 0 && text[begin - 1] == '\'') word.text = "'s";
      word.number = number_of_word(word.text);
    } else {
      ++i;
      continue;
    }
    word.begin = static_cast<std::uint32_t>(begin);
    word.end = static_cast<std::uint32_t>(i);
    words.push_back(std::move(word));
  }
  return words;
}

std::string words_key(const std::vector<PatternWord>& words, std::size_t first, std::size_t last) {
  std::string key;
  for (std::size_t i = first; i < last; ++i) key += (i == first ? "" : " ") + words[i].text;
  return key;
}

std::string words_key(std::string_view text) {
  const auto words = pattern_words(text);
  return words_key(words, 0, words.size());
}

std::string word_stem(std::string_view lower) {
  std::string stem(lower);
  const auto drop = [&stem](std::string_view ending, std::size_t rest) {
    if (!stem.ends_with(ending) || stem.size() < ending.size() + rest) return false;
    stem.resize(stem.size() - ending.size());
    return true;
  };
  if (drop("ies", 2)) {
    stem += 'y';
  } else if (!stem.ends_with("ss") && !stem.ends_with("us") && !stem.ends_with("is")) {
    drop("s", 3);
  }
  if (!drop("ing", 3)) drop("ed", 3);
  drop("e", 3);
  return stem;
}

}  // namespace trustsql::semparse
