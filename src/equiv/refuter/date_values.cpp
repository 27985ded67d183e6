#include "equiv/refuter/date_values.hpp"

#include <algorithm>
#include <chrono>

#include "plan/date_text.hpp"

namespace trustsql::equiv {

namespace {

constexpr std::size_t length_of_date = 10;
constexpr std::string_view some_day_and_time = "2021-06-15 12:30:00";

}  // namespace

std::vector<Value> dates_apart(const std::vector<int>& days_apart) {
  using namespace std::chrono;
  std::vector<Value> values;
  for (const auto day : {2020y / 1 / 1, 2021y / 6 / 15, 2021y / 7 / 1, 2022y / 12 / 31})
    values.emplace_back(plan::date_text_of(day));
  for (const int count : days_apart) {
    values.emplace_back(plan::date_text_of(sys_days(2021y / 6 / 15) + days(count)));
    values.emplace_back(plan::date_text_of(sys_days(2021y / 7 / 1) + days(count)));
  }
  return values;
}

std::vector<std::string> dates_around(std::string_view start, plan::Reading reading) {
  if (plan::is_datetime_text(start)) start = start.substr(0, length_of_date);
  if (!plan::is_start_of_date(start)) return {};
  using namespace std::chrono;
  const auto number = [&](std::size_t place, std::size_t digits) {
    return std::stoi(std::string(start.substr(place, digits)));
  };
  const year in_year(number(0, 4));
  if (in_year < year(1) || in_year > year(9998)) return {};
  const auto month_or = [&](unsigned otherwise) {
    return month(start.size() > 4 ? static_cast<unsigned>(number(5, 2)) : otherwise);
  };
  const bool is_day = start.size() == length_of_date;
  const sys_days first = in_year / month_or(1) / day(is_day ? static_cast<unsigned>(number(8, 2)) : 1U);
  const sys_days end = is_day ? first : sys_days(in_year / month_or(12) / last);
  std::vector<std::string> dates;
  for (const auto each : {first, end, first - days(1), end + days(1)}) {
    if (reading == plan::Reading::as_date) {
      dates.push_back(plan::date_text_of(each));
    } else {
      for (const char* time : {" 00:00:00", " 12:30:00"}) dates.push_back(plan::date_text_of(each) + time);
    }
  }
  return dates;
}

std::optional<std::string> date_like(const Value& value, plan::Reading reading) {
  std::string date(some_day_and_time);
  if (reading == plan::Reading::as_date) date.resize(length_of_date);
  std::string text;
  if (const auto* own = std::get_if<std::string>(&value)) text = *own;
  if (const auto* integer = std::get_if<std::int64_t>(&value)) text = std::to_string(*integer);
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  bool any = false;
  for (std::size_t i = 0; i < std::min(date.size(), text.size()); ++i) {
    if (!is_digit(date[i]) || !is_digit(text[i])) continue;
    date[i] = text[i];
    any = true;
  }
  return any && plan::is_read_as(date, reading) ? std::optional(std::move(date)) : std::nullopt;
}

}  // namespace trustsql::equiv
