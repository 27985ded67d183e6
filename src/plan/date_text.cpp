#include "plan/date_text.hpp"

#include <chrono>
#include <cstddef>

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

}  // namespace

bool is_date_text(std::string_view text) { return has_form(text, date_form) && is_day(text); }

bool is_datetime_text(std::string_view text) {
  return has_form(text, datetime_form) && is_day(text) && number_at(text, 11, 2) < 24 && number_at(text, 14, 2) < 60 &&
         number_at(text, 17, 2) < 60;
}

bool is_start_of_date(std::string_view text) {
  constexpr std::string_view first_day = "0000-01-01";
  constexpr std::size_t year = 4;
  constexpr std::size_t year_and_month = 7;
  if (text.size() == date_form.size()) return is_date_text(text);
  if (text.size() != year && text.size() != year_and_month) return false;
  char date[first_day.size()];
  first_day.copy(date, first_day.size());
  text.copy(date, text.size());
  return is_date_text({date, first_day.size()});
}

}  // namespace trustsql::plan
