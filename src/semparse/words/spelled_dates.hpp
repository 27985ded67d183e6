// Dates that a question writes out: "March 2024", "5 March 2024", "March 5th, 2024". A month or a day without its year
// is none.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "semparse/words/words.hpp"

namespace trustsql::semparse {

inline constexpr std::array<std::string_view, 12> month_names = {"january",   "february", "march",    "april",
                                                                 "may",       "june",     "july",     "august",
                                                                 "september", "october",  "november", "december"};

struct SpelledDate {
  WordSpan span{};
  std::string text;    // "2024-03" or "2024-03-05"
  bool exists = true;  // false for 30 February
};

// The date that begins at the word.
std::optional<SpelledDate> spelled_date_at(const Question& question, std::size_t at);

// Whether the text is a year and a month, "2024-03", or a date, "2024-03-05".
bool is_month_text(std::string_view text);
bool is_day_text(std::string_view text);

// The first day of the month after "2024-03": "2024-04-01".
std::string next_month(std::string_view month);

}  // namespace trustsql::semparse
