// What a column holds, by its name, its declared type and its values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/value.hpp"
#include "semparse/database/domain.hpp"

namespace trustsql::semparse {

// Of a date as SQLite writes it: 2026-01-05.
inline constexpr std::size_t iso_date_size = 10;

// Whether the word of a name says that it is one of dates or times: "date", "since".
bool is_date_word(std::string_view word);
// Whether one of the words of a name says so.
bool says_date(const std::vector<std::string>& words);
// Whether the text is such a date, and perhaps a time behind it.
bool is_iso_date_text(std::string_view text);
// Whether the text ends with a year behind something else: 01/05/2026, 5 January 2026.
bool ends_with_year(std::string_view text);
// The number that the value is, or that its text is; nullopt if it is none.
std::optional<double> number_of(ValueView value);
// What a column holds: `values` values that are not NULL, `numbers` of them numbers, between `low` and `high`; none
// have been read if `values` is 0. `type`: as declared.
DataKind kind_of(const DomainColumn& column, std::string_view type, ValueView low, ValueView high, std::int64_t numbers,
                 std::int64_t values);

}  // namespace trustsql::semparse
