// The words of a question as templates compare them: no punctuation, no letter case, numbers by their value.
//
// A value of the database is looked for by the same words: "metformin xr (glucophage xr)" is four words in the question
// and in the query's literal.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace trustsql::semparse {

struct PatternWord {
  std::string text;                // ASCII letters in lower case; a number without thousands separators
  std::optional<double> number{};  // for "12", "1,000", "3.5", "twelve"
  bool digits = false;             // the number is written in digits
  std::uint32_t begin = 0;         // bytes [begin, end) of the question
  std::uint32_t end = 0;
};

// A text with more words is not read further.
inline constexpr std::size_t max_pattern_words = 200;

// Letters, digits and bytes from 0x80 form words, which also end where digits meet a letter; a decimal number, or one
// with thousands separators, is one word.
std::vector<PatternWord> pattern_words(std::string_view text);

// The words of a value, separated by single spaces: two values with the same words are the same to people.
std::string words_key(std::string_view text);
// The same of the words [first, last).
std::string words_key(const std::vector<PatternWord>& words, std::size_t first, std::size_t last);

// A word without the ending of its plural or of its verb form, for comparisons: "prescribed" and "prescribe" have one.
std::string word_stem(std::string_view lower);

}  // namespace trustsql::semparse
