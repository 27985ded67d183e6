// The words of a question, as the semantic parser sees them.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace trustsql::semparse {

// A range of words [first, last).
struct WordSpan {
  std::size_t first = 0;
  std::size_t last = 0;

  std::size_t size() const { return last - first; }
  bool overlaps(const WordSpan& other) const { return first < other.last && other.first < last; }
  bool contains(const WordSpan& other) const { return first <= other.first && other.last <= last; }
  friend bool operator==(const WordSpan&, const WordSpan&) = default;
};

// How many words stand between two spans; 0 if they overlap.
int words_between(WordSpan a, WordSpan b);

struct Word {
  std::string text;                 // as written
  std::string lower;                // ASCII letters in lower case; "are", "not" of "aren't", "is" of "what's"
  std::vector<std::string> lemmas;  // base forms, the likeliest first; never empty
  std::optional<double> number{};   // for "12", "1,000", "3.5", "twelve"
  std::size_t begin = 0;            // bytes [begin, end) of the question
  std::size_t end = 0;
  bool capitalised = false;  // begins with a capital letter
  bool quoted = false;       // stands between quotation marks, or says that a value is missing: no cue for anything

  const std::string& lemma() const { return lemmas.front(); }
};

// A text between quotation marks.
struct Quotation {
  WordSpan words{};
  std::string text;  // without the marks
};

struct Question {
  std::string text;
  std::vector<Word> words{};
  std::vector<Quotation> quotations{};

  // The bytes of the question from the first to the last word of `span`. Precondition: span is not empty.
  std::string_view text_of(WordSpan span) const;
};

// Questions with more words are not read further: what follows has no words.
inline constexpr std::size_t max_question_words = 200;

// The words of `text`. Letters, digits and underscores form words; a decimal number, or one with thousands separators,
// is one word. "student's" is two, student and 's, and "aren't" too. Quotation marks are not words; any other
// punctuation mark is one.
Question read_question(std::string_view text);

// Whether `c` is part of words: an ASCII letter, a digit, an underscore, a byte of a letter outside of ASCII.
bool is_word_character(char c);

// Whether the word carries no content of its own: articles, pronouns, auxiliaries, prepositions, question words,
// punctuation.
bool is_function_word(const Word& word);
// The same for a word in lower case.
bool is_function_word(std::string_view lower);

// Whether a word in lower case is one for what identifies a row: "id", "number", "codes".
bool is_identifier_word(std::string_view lower);

// Whether the word is a past participle by its ending, or one of the usual irregular ones: "harvested", "sold".
bool is_past_participle(const Word& word);

// The number that an English number word means: "seven", "twenty"; nullopt if it is none.
std::optional<double> number_of_word(std::string_view lower);

}  // namespace trustsql::semparse
