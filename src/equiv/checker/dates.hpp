// Texts of dates for the evaluation of expressions over columns that are assumed to hold nothing else, and what
// SQLite's date functions write of them (https://sqlite.org/lang_datefunc.html). It shares no code with
// plan/date_text.hpp, by which the rules decide.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/value.hpp"

namespace trustsql::equiv::checker {

// Whether the text is that of a day that exists, 'YYYY-MM-DD', or of such a day with a time, 'YYYY-MM-DD hh:mm:ss'.
bool is_day(std::string_view text);
bool is_day_with_time(std::string_view text);

// What date(), time(), datetime() or strftime() returns, without modifiers; nullopt for other functions, for other
// arguments than a text as above, and for formats with other fields than %Y, %m, %d, %H, %M and %S.
std::optional<std::string> date_function(std::string_view name, std::span<const ValueView> arguments);

// Dates that expressions with these constants may tell apart: those at the beginning and end of the years, months and
// days that the constants name, beside them, and others.
std::vector<std::string> sample_dates(std::span<const Value* const> constants, bool with_time);

}  // namespace trustsql::equiv::checker
