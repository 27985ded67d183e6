// Dates for the columns that queries take for dates.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/value.hpp"
#include "plan/readings.hpp"

namespace trustsql::equiv {

// Some days, and the days that are so many days later.
std::vector<Value> dates_apart(const std::vector<int>& days);

// The first and last of the days whose dates begin with `start` ('2021', '2021-06' or '2021-06-15'), and the days
// before and after them, as the reading writes them; none if no date begins so.
std::vector<std::string> dates_around(std::string_view start, plan::Reading reading);

// A date that has the digits of `value` where dates have digits ('1980' and '1980x' give '1980-06-15'); nullopt if
// there is none.
std::optional<std::string> date_like(const Value& value, plan::Reading reading);

}  // namespace trustsql::equiv
