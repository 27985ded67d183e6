// Texts that stand for days, '2021-06-15', or for seconds, '2021-06-15 12:30:00', as SQLite writes them
// (https://sqlite.org/lang_datefunc.html#time_values). The date functions read other forms as well ('2021-06-31',
// '2021-06-15 12:30', '2459381'), but texts in those forms are not in the order of their days.
#pragma once

#include <string_view>

namespace trustsql::plan {

// Whether `text` is the date of a day that exists, from year 0000 to 9999.
bool is_date_text(std::string_view text);

// Whether `text` is such a date, a blank, and a time with seconds.
bool is_datetime_text(std::string_view text);

// Whether `text` is a date, or the year or the year and month that a date begins with: '2021', '2021-06'.
bool is_start_of_date(std::string_view text);

}  // namespace trustsql::plan
