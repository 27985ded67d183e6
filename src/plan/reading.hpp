// What queries may take the texts of a column for.
#pragma once

#include <cstdint>

namespace trustsql::plan {

// Texts, numbers, integers (number_text.hpp), days, or seconds of a day (date_text.hpp).
enum class Reading : std::uint8_t { as_text, as_number, as_integer, as_date, as_datetime };

// Whether it is a reading as dates, with a time or without.
constexpr bool is_date(Reading reading) { return reading == Reading::as_date || reading == Reading::as_datetime; }

}  // namespace trustsql::plan
