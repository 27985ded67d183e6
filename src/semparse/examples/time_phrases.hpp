// Time expressions in questions: "since 8 months ago", "in 07/this year", "until March 2021", "last week".
//
// They are found by rules of English alone. How a time is written in SQL is not known here: that is learned from
// examples, by the shape of the expression.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "semparse/examples/pattern_words.hpp"
#include "semparse/words/words.hpp"

namespace trustsql::semparse {

// What a number of a time expression counts or names; it decides how queries write it. `clock`: hours, minutes,
// seconds.
enum class TimePart : std::uint8_t { count, year, month, day, clock };

struct TimeNumber {
  TimePart part = TimePart::count;
  int value = 0;
  friend bool operator==(const TimeNumber&, const TimeNumber&) = default;
};

struct TimePhrase {
  WordSpan span{};
  std::string shape;  // everything but the numbers: "since ago month", "in year", "until month this year"
  std::vector<TimeNumber> numbers{};  // in the order that the shape names them
};

// The time expressions in `words`, in order, without overlaps. `text` is what the words were read from: a date's
// separators are looked at. A number of four digits is a year only where something says so ("in 2021", "since 2021").
std::vector<TimePhrase> find_time_phrases(std::string_view text, const std::vector<PatternWord>& words);

}  // namespace trustsql::semparse
