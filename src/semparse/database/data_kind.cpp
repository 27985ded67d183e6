#include "semparse/database/data_kind.hpp"

#include <algorithm>
#include <charconv>

#include "base/text.hpp"
#include "semparse/words/word_list.hpp"

namespace trustsql::semparse {

namespace {

bool is_number_text(std::string_view text) {
  text = trim(text);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return !text.empty() && error == std::errc() && end == text.data() + text.size();
}

// ISO dates and the like: digits, with at least two separators between groups.
bool is_date_text(std::string_view text) {
  std::size_t digits = 0;
  std::size_t separators = 0;
  for (const char c : text) {
    if (c >= '0' && c <= '9')
      ++digits;
    else if (c == '-' || c == '/' || c == ':' || c == '.')
      ++separators;
  }
  return digits >= 4 && separators >= 2 && text.size() <= 32;
}

bool is_declared_number(std::string_view type) {
  for (const std::string_view word : {"int", "real", "floa", "doub", "num", "dec", "money", "year"})
    if (contains_ignore_case(type, word)) return true;
  return false;
}

}  // namespace

bool is_date_word(std::string_view word) {
  constexpr std::string_view date_words[] = {"date",     "time", "datetime", "timestamp", "day",
                                             "birthday", "dob",  "when",     "since",     "until"};
  return is_listed(date_words, word);
}

bool says_date(const std::vector<std::string>& words) { return std::any_of(words.begin(), words.end(), is_date_word); }

// Dates as SQLite writes them (https://sqlite.org/lang_datefunc.html), which sort as texts: 2026-01-05.
bool is_iso_date_text(std::string_view text) {
  constexpr std::string_view form = "0000-00-00";
  static_assert(form.size() == iso_date_size);
  if (text.size() < form.size()) return false;
  for (std::size_t i = 0; i < form.size(); ++i) {
    const bool digit = text[i] >= '0' && text[i] <= '9';
    if (form[i] == '0' ? !digit : text[i] != form[i]) return false;
  }
  return text.size() == form.size() || text[form.size()] == ' ' || text[form.size()] == 'T';
}

bool ends_with_year(std::string_view text) {
  constexpr std::size_t year_digits = 4;
  if (text.size() <= year_digits) return false;
  const auto year = text.substr(text.size() - year_digits);
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  return std::all_of(year.begin(), year.end(), is_digit) && !is_digit(text[text.size() - year_digits - 1]);
}

std::optional<double> number_of(ValueView value) {
  if (value.type == ValueType::integer) return static_cast<double>(value.integer);
  if (value.type == ValueType::real) return value.real;
  if (value.type != ValueType::text || !is_number_text(value.bytes)) return std::nullopt;
  const auto text = trim(value.bytes);
  double number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

DataKind kind_of(const DomainColumn& column, std::string_view type, ValueView low, ValueView high, std::int64_t numbers,
                 std::int64_t values) {
  const bool named_date = says_date(column.words);
  if (contains_ignore_case(type, "date") || contains_ignore_case(type, "time")) return DataKind::date;
  if (low.type == ValueType::text && high.type == ValueType::text && is_date_text(low.bytes) &&
      is_date_text(high.bytes))
    return DataKind::date;
  if (contains_ignore_case(type, "bool")) return DataKind::boolean;
  if (values > 0 && numbers == values) return DataKind::number;
  if (values > 0 && numbers == 0 && low.type == ValueType::text && is_number_text(low.bytes) &&
      is_number_text(high.bytes))
    return DataKind::number;
  if (values == 0 && is_declared_number(type)) return DataKind::number;
  if (low.type == ValueType::blob) return DataKind::other;
  return named_date && values == 0 ? DataKind::date : DataKind::text;
}

}  // namespace trustsql::semparse
