#include "equiv/checker/dates.hpp"

#include <algorithm>
#include <array>
#include <set>

namespace trustsql::equiv::checker {

namespace {

constexpr std::size_t day_length = 10;

int number_in_date(std::string_view text, std::size_t place, std::size_t digits) {
  int number = 0;
  for (const char c : text.substr(place, digits)) number = 10 * number + (c - '0');
  return number;
}

bool matches(std::string_view text, std::string_view form) {
  return text.size() == form.size() && std::equal(text.begin(), text.end(), form.begin(), [](char c, char of_form) {
           return of_form == '0' ? c >= '0' && c <= '9' : c == of_form;
         });
}

int days_in(int year, int month) {
  if (month == 2) return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28;
  return month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31;
}

// The text of a number with so many digits.
std::string padded(int number, std::size_t digits) {
  auto text = std::to_string(number);
  return text.size() < digits ? text.insert(0, digits - text.size(), '0') : text;
}

// The day after, or before, that of the date; nullopt beyond the years from 0 to 9999.
std::optional<std::string> next_day(std::string_view date, int step) {
  int year = number_in_date(date, 0, 4);
  int month = number_in_date(date, 5, 2);
  int day = number_in_date(date, 8, 2) + step;
  if (day < 1 || day > days_in(year, month)) {
    month += step;
    if (month < 1 || month > 12) {
      year += step;
      month = step > 0 ? 1 : 12;
    }
    if (year < 0 || year > 9999) return std::nullopt;
    day = step > 0 ? 1 : days_in(year, month);
  }
  return padded(year, 4) + "-" + padded(month, 2) + "-" + padded(day, 2);
}

// The second after, or before, the date with a time.
std::optional<std::string> next_second(std::string_view date, int step) {
  constexpr int per_day = 86'400;
  const int second =
      number_in_date(date, 11, 2) * 3600 + number_in_date(date, 14, 2) * 60 + number_in_date(date, 17, 2) + step;
  auto day = second < 0 || second >= per_day ? next_day(date, step) : std::string(date.substr(0, day_length));
  if (!day) return std::nullopt;
  const int of_day = (second + per_day) % per_day;
  return *std::move(day) + " " + padded(of_day / 3600, 2) + ":" + padded(of_day / 60 % 60, 2) + ":" +
         padded(of_day % 60, 2);
}

}  // namespace

bool is_day(std::string_view text) {
  if (!matches(text, "0000-00-00")) return false;
  const int month = number_in_date(text, 5, 2);
  const int day = number_in_date(text, 8, 2);
  return month >= 1 && month <= 12 && day >= 1 && day <= days_in(number_in_date(text, 0, 4), month);
}

bool is_day_with_time(std::string_view text) {
  return matches(text, "0000-00-00 00:00:00") && is_day(text.substr(0, day_length)) &&
         number_in_date(text, 11, 2) < 24 && number_in_date(text, 14, 2) < 60 && number_in_date(text, 17, 2) < 60;
}

std::optional<std::string> date_function(std::string_view name, std::span<const ValueView> arguments) {
  std::string_view format;
  if (name == "date" || name == "time" || name == "datetime") {
    if (arguments.size() != 1) return std::nullopt;
    format = name == "date" ? "%Y-%m-%d" : name == "time" ? "%H:%M:%S" : "%Y-%m-%d %H:%M:%S";
  } else if (name == "strftime" && arguments.size() == 2 && arguments[0].type == ValueType::text) {
    format = arguments[0].bytes;
  } else {
    return std::nullopt;
  }
  const auto& time = arguments.back();
  if (time.type != ValueType::text) return std::nullopt;
  std::string date(time.bytes);
  if (is_day(date)) date += " 00:00:00";
  if (!is_day_with_time(date)) return std::nullopt;
  std::string result;
  for (std::size_t i = 0; i < format.size(); ++i) {
    if (format[i] != '%') {
      result += format[i];
      continue;
    }
    switch (++i < format.size() ? format[i] : '\0') {
      case 'Y': result += date.substr(0, 4); break;
      case 'm': result += date.substr(5, 2); break;
      case 'd': result += date.substr(8, 2); break;
      case 'H': result += date.substr(11, 2); break;
      case 'M': result += date.substr(14, 2); break;
      case 'S': result += date.substr(17, 2); break;
      default: return std::nullopt;
    }
  }
  return result;
}

std::vector<std::string> sample_dates(std::span<const Value* const> constants, bool with_time) {
  constexpr std::string_view usual = "2021-06-15 12:30:00";
  constexpr std::string_view first = "0000-01-01 00:00:00";
  constexpr std::string_view last = "9999-12-31 23:59:59";
  constexpr std::array<std::size_t, 5> fields{5, 8, 11, 14, 17};
  std::set<std::string> days;
  const auto take = [&](const std::string& text) {
    if (!is_day_with_time(text)) return;
    days.insert(text);
    for (const int step : {-1, 1}) {
      if (const auto day = next_day(text, step)) days.insert(*day + text.substr(day_length));
      if (auto second = next_second(text, step)) days.insert(*std::move(second));
    }
  };
  for (const auto model : {usual, first, last, std::string_view("2020-02-29 09:05:07")}) take(std::string(model));
  for (const auto* constant : constants) {
    const auto value = view(*constant);
    std::string digits(value.type == ValueType::text ? value.bytes : std::string_view());
    if (value.type == ValueType::integer && value.integer >= 0 && value.integer <= 9999)
      digits = padded(static_cast<int>(value.integer), value.integer < 100 ? 2 : 4);
    if (digits.ends_with('%')) digits.pop_back();
    if (digits.empty() || digits.size() > usual.size()) continue;
    for (const auto model : {first, last}) take(std::string(model).replace(0, digits.size(), digits));
    // The last day of a month, whatever its length.
    constexpr std::size_t month_length = 7;
    if (digits.size() == month_length || digits.size() == month_length + 1) {
      for (const char* day : {"28", "29", "30"})
        take(std::string(last).replace(0, digits.size(), digits).replace(month_length + 1, 2, day));
    }
    if (digits.size() != 2 || !matches(digits, "00")) continue;
    const int number = number_in_date(digits, 0, 2);
    for (const auto place : fields) {
      for (int near = std::max(number - 1, 0); near <= std::min(number + 1, 99); ++near)
        take(std::string(usual).replace(place, 2, padded(near, 2)));
    }
  }
  std::vector<std::string> dates;
  for (const auto& day : days) {
    auto text = with_time ? day : day.substr(0, day_length);
    if (dates.empty() || dates.back() != text) dates.push_back(std::move(text));
  }
  return dates;
}

}  // namespace trustsql::equiv::checker
