// Cues: words of general English that ask for an operator, and those that allow one. Kept as data; what each means and
// how often that holds is in the notes of the grounding bench (tests/bench/README.md).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "semparse/words/words.hpp"

namespace trustsql::semparse {

enum class AskedCue : std::uint8_t {
  average,  // "average", "mean"
  extreme,  // "the oldest", "most", "maximum", "first"
  order,    // "sorted", "alphabetical"
  descending,
  ascending,
  negation,  // "not", "without"
  other,     // words that go with an inequality: "other", "besides"
  both,
  sum,          // "total", "how much"
  count,        // "how many", "number"
  range,        // "between", "from ... to"
  alternative,  // "or", "either"
};

// Whether the question has the cue somewhere outside of quotations. Where `strict`, only words are looked at that ask
// for the operator nearly always; otherwise all that allow it.
bool has_cue(const Question& question, AskedCue cue, bool strict);

// Whether the word alone is a cue for an average, an extreme or an order, so that it need not be a name.
bool is_operator_word(const Question& question, std::size_t at);

// Whether the word is a superlative ("oldest", "most"), other than in "at most" and "at least".
bool is_superlative_word(const Question& question, std::size_t at);

// Whether it is one that says what is compared: "oldest", and not "largest".
bool is_particular_superlative(const Question& question, std::size_t at);

// Whether the word speaks of an extreme or of a rank: a superlative, "maximum", "top", "last".
bool is_extreme_word(const Question& question, std::size_t at);

// Whether a word in front of "than", or of a number, asks for more, or for less: "older", "above"; "fewer", "below".
bool is_more_word(std::string_view word);
bool is_less_word(std::string_view word);

// A bound on a number: "at least 3", "more than 3".
enum class Bound : std::uint8_t { none, at_least, at_most, more, less };
// The bound that the words before the number at `at` state, or those after it ("3 or more").
Bound bound_of(const Question& question, WordSpan number);
// What is said where the bound does not hold.
Bound denied(Bound bound);
// Whether the comparison with the number is denied: "not built before 1990", "do not have more than 10 years".
bool is_denied_number(const Question& question, WordSpan number);

}  // namespace trustsql::semparse
