#include "semparse/words/spelled_dates.hpp"

#include <charconv>
#include <utility>

#include "plan/date_text.hpp"

namespace trustsql::semparse {

namespace {

constexpr int most_days = 31;
constexpr int first_dated_year = 1000;
constexpr int last_dated_year = 2999;

bool is_date_digit(char c) { return c >= '0' && c <= '9'; }

// 1 to 12; 0 if the word is no month. Its first three letters suffice, and "Sept".
int named_month(const Word& word) {
  if (word.quoted) return 0;
  for (std::size_t i = 0; i < month_names.size(); ++i)
    if (word.lower == month_names[i] || word.lower == month_names[i].substr(0, 3) || (i == 8 && word.lower == "sept"))
      return static_cast<int>(i) + 1;
  return 0;
}

// The number that the digits in front say: 5 for "5" and "5th"; 0 if there is none, or something else behind it.
int leading_number(const Word& word) {
  if (word.quoted) return 0;
  int number = 0;
  const char* const end = word.lower.data() + word.lower.size();
  const auto [rest, error] = std::from_chars(word.lower.data(), end, number);
  if (error != std::errc()) return 0;
  const std::string_view behind(rest, static_cast<std::size_t>(end - rest));
  return behind.empty() || behind == "st" || behind == "nd" || behind == "rd" || behind == "th" ? number : 0;
}

int written_year(const Word& word) {
  const int year = word.lower.size() == 4 ? leading_number(word) : 0;
  return year >= first_dated_year && year <= last_dated_year ? year : 0;
}

std::string two_digits(int number) { return (number < 10 ? "0" : "") + std::to_string(number); }

SpelledDate day_of(WordSpan span, int year, int month, int day) {
  auto text = std::to_string(year) + "-" + two_digits(month) + "-" + two_digits(day);
  const bool exists = plan::is_date_text(text);
  return {span, std::move(text), exists};
}

}  // namespace

std::optional<SpelledDate> spelled_date_at(const Question& question, std::size_t at) {
  const auto& words = question.words;
  const auto is = [&](std::size_t i, std::string_view word) { return i < words.size() && words[i].lower == word; };
  const auto skip = [&](std::size_t& i, std::string_view word) { i += is(i, word) ? 1 : 0; };
  auto next = at;
  const int day_before = leading_number(words[next]);
  if (day_before > 0) {
    ++next;
    skip(next, "of");
  }
  const int month = next < words.size() ? named_month(words[next]) : 0;
  if (month == 0) return std::nullopt;
  ++next;
  if (next < words.size() && written_year(words[next]) == 0 && day_before == 0 && leading_number(words[next]) > 0 &&
      leading_number(words[next]) <= most_days) {
    const int day = leading_number(words[next]);
    ++next;
    skip(next, ",");
    if (next >= words.size() || written_year(words[next]) == 0) return std::nullopt;
    return day_of({at, next + 1}, written_year(words[next]), month, day);
  }
  skip(next, ",");
  skip(next, "of");
  if (next >= words.size() || written_year(words[next]) == 0 || day_before > most_days) return std::nullopt;
  const int year = written_year(words[next]);
  if (day_before > 0) return day_of({at, next + 1}, year, month, day_before);
  return SpelledDate{{at, next + 1}, std::to_string(year) + "-" + two_digits(month)};
}

bool is_month_text(std::string_view text) {
  constexpr std::size_t size = 7;
  if (text.size() != size || text[4] != '-') return false;
  for (std::size_t i = 0; i < size; ++i)
    if (i != 4 && !is_date_digit(text[i])) return false;
  return true;
}

bool is_day_text(std::string_view text) {
  constexpr std::size_t size = 10;
  return text.size() == size && is_month_text(text.substr(0, 7)) && text[7] == '-' && is_date_digit(text[8]) &&
         is_date_digit(text[9]);
}

std::string next_month(std::string_view month) {
  int year = 0;
  int number = 0;
  std::from_chars(month.data(), month.data() + 4, year);
  std::from_chars(month.data() + 5, month.data() + 7, number);
  if (number >= 12) return std::to_string(year + 1) + "-01-01";
  return std::to_string(year) + "-" + two_digits(number + 1) + "-01";
}

}  // namespace trustsql::semparse
