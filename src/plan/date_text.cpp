#include "plan/date_text.hpp"

#include <cstddef>
#include <cstdio>

namespace trustsql::plan {

namespace {

constexpr std::string_view date_form = "0000-00-00";
constexpr std::string_view datetime_form = "0000-00-00 00:00:00";

// Whether each zero of the form is a digit in `text`, and its other characters are themselves.
bool has_form(std::string_view text, std::string_view form) {
  if (text.size() != form.size()) return false;
  for (std::size_t i = 0; i < form.size(); ++i) {
    if (form[i] == '0' ? text[i] < '0' || text[i] > '9' : text[i] != form[i]) return false;
  }
  return true;
}

int number_at(std::string_view text, std::size_t place, std::size_t digits) {
  int number = 0;
  for (const char c : text.substr(place, digits)) number = 10 * number + (c - '0');
  return number;
}

bool is_day(std::string_view text) {
  using namespace std::chrono;
  return year_month_day(year(number_at(text, 0, 4)), month(static_cast<unsigned>(number_at(text, 5, 2))),
                        day(static_cast<unsigned>(number_at(text, 8, 2))))
      .ok();
}

// The texts of a reading are in the order of their days or seconds. Their places in that order, from 0:

constexpr std::int64_t seconds_per_day = 86'400;
constexpr std::chrono::sys_days first_day = std::chrono::year(0) / 1 / 1;
constexpr std::chrono::sys_days end_of_days = std::chrono::year(10'000) / 1 / 1;

std::int64_t texts_per_day(Reading reading) { return reading == Reading::as_date ? 1 : seconds_per_day; }

std::int64_t count_of(Reading reading) { return (end_of_days - first_day).count() * texts_per_day(reading); }

std::string text_at(std::int64_t place, Reading reading) {
  auto text = date_text_of(first_day + std::chrono::days(place / texts_per_day(reading)));
  if (reading == Reading::as_date) return text;
  const auto second = static_cast<int>(place % seconds_per_day);
  char time[40];
  std::snprintf(time, sizeof time, " %02d:%02d:%02d", second / 3600, second / 60 % 60, second % 60);
  return text + time;
}

// The place of the first text that does not come before `text`, by bisection.
std::int64_t place_from(std::string_view text, Reading reading) {
  std::int64_t low = 0;
  std::int64_t high = count_of(reading);
  while (low < high) {
    const auto middle = low + (high - low) / 2;
    if (text_at(middle, reading) < text) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

}  // namespace

bool is_date_text(std::string_view text) { return has_form(text, date_form) && is_day(text); }

bool is_datetime_text(std::string_view text) {
  return has_form(text, datetime_form) && is_day(text) && number_at(text, 11, 2) < 24 && number_at(text, 14, 2) < 60 &&
         number_at(text, 17, 2) < 60;
}

bool is_start_of_date(std::string_view text) {
  constexpr std::string_view some_day = "0000-01-01";
  constexpr std::size_t year = 4;
  constexpr std::size_t year_and_month = 7;
  if (text.size() == date_form.size()) return is_date_text(text);
  if (text.size() != year && text.size() != year_and_month) return false;
  char date[some_day.size()];
  some_day.copy(date, some_day.size());
  text.copy(date, text.size());
  return is_date_text({date, some_day.size()});
}

std::string date_text_of(std::chrono::sys_days day) {
  const std::chrono::year_month_day date(day);
  char text[40];
  std::snprintf(text, sizeof text, "%04d-%02u-%02u", static_cast<int>(date.year()), unsigned{date.month()},
                unsigned{date.day()});
  return text;
}

std::int64_t length_of_dates(Reading reading) {
  return static_cast<std::int64_t>(reading == Reading::as_date ? date_form.size() : datetime_form.size());
}

std::optional<std::string> first_date_from(std::string_view text, Reading reading) {
  const auto place = place_from(text, reading);
  return place < count_of(reading) ? std::optional(text_at(place, reading)) : std::nullopt;
}

std::optional<std::string> last_date_before(std::string_view text, Reading reading) {
  const auto place = place_from(text, reading);
  return place > 0 ? std::optional(text_at(place - 1, reading)) : std::nullopt;
}

std::optional<TextPart> part_of_format(std::string_view format) {
  // A letter for each digit of a date tells the fields apart.
  constexpr std::string_view date = "YYYY-MM-DD hh:mm:ss";
  std::string fields;
  for (std::size_t i = 0; i < format.size(); ++i) {
    const char c = format[i];
    if (c == '-' || c == ' ' || c == ':') {
      fields += c;
      continue;
    }
    if (c != '%' || ++i == format.size()) return std::nullopt;
    switch (format[i]) {
      case 'Y': fields += "YYYY"; break;
      case 'm': fields += "MM"; break;
      case 'd': fields += "DD"; break;
      case 'H': fields += "hh"; break;
      case 'M': fields += "mm"; break;
      case 'S': fields += "ss"; break;
      default: return std::nullopt;
    }
  }
  const bool has_field = fields.find_first_not_of("- :") != std::string::npos;
  const auto place = has_field ? date.find(fields) : std::string_view::npos;
  if (place == std::string_view::npos) return std::nullopt;
  return TextPart{static_cast<std::int64_t>(place) + 1, static_cast<std::int64_t>(fields.size())};
}

}  // namespace trustsql::plan
