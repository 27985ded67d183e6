// Texts that stand for days, '2021-06-15', or for seconds, '2021-06-15 12:30:00', as SQLite writes them
// (https://sqlite.org/lang_datefunc.html#time_values). The date functions read other forms as well ('2021-06-31',
// '2021-06-15 12:30', '2459381'), but texts in those forms are not in the order of their days.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "plan/reading.hpp"

namespace trustsql::plan {

// Whether `text` is the date of a day that exists, from year 0000 to 9999.
bool is_date_text(std::string_view text);

// Whether `text` is such a date, a blank, and a time with seconds.
bool is_datetime_text(std::string_view text);

// Whether `text` is a date, or the year or the year and month that a date begins with: '2021', '2021-06'.
bool is_start_of_date(std::string_view text);

// The text of a day from year 0000 to 9999.
std::string date_text_of(std::chrono::sys_days day);

// The length of the texts of a reading, as_date or as_datetime.
std::int64_t length_of_dates(Reading reading);

// The first text of the reading, as_date or as_datetime, that does not come before `text` in the order of BINARY, and
// the last one that does; nullopt if there is none. Precondition: `text` is ASCII without NUL characters, whose order
// is the same in all encodings.
std::optional<std::string> first_date_from(std::string_view text, Reading reading);
std::optional<std::string> last_date_before(std::string_view text, Reading reading);

// A part of a text: the place of its first character, counted from 1, and its length.
struct TextPart {
  std::int64_t first = 1;
  std::int64_t length = 0;
};

// The part of a date, or of a date with a time, that strftime() writes for a format of fields and marks such as
// '%Y-%m'; nullopt if it writes something else, such as '%m/%d'.
std::optional<TextPart> part_of_format(std::string_view format);

}  // namespace trustsql::plan
