#include "plan/number_text.hpp"

#include <cmath>

#include "base/text.hpp"

namespace trustsql::plan {

namespace {

constexpr std::size_t max_digits = 15;

}  // namespace

bool is_number_text(std::string_view text, Reading reading) {
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  std::size_t whole = 0;
  while (whole < text.size() && is_digit(text[whole])) ++whole;
  if (whole == 0 || (whole > 1 && text.front() == '0')) return false;
  if (whole == text.size()) return whole <= max_digits && !(negative && text == "0");
  if (reading == Reading::as_integer || text[whole] != '.' || text.size() > max_digits + 1) return false;
  const auto fraction = text.substr(whole + 1);
  if (fraction.empty() || fraction.back() == '0') return false;
  for (const char c : fraction) {
    if (!is_digit(c)) return false;
  }
  // SQLite writes smaller numbers with an exponent.
  return text.substr(0, whole) != "0" || !fraction.starts_with("0000");
}

std::optional<std::string> number_text(const Value& number, Reading reading) {
  std::string text;
  if (const auto* integer = std::get_if<std::int64_t>(&number)) {
    text = std::to_string(*integer);
  } else if (const auto* real = std::get_if<double>(&number)) {
    text = format_real(*real);
    if (text.ends_with(".0")) text.resize(text.size() - 2);
  }
  return is_number_text(text, reading == Reading::as_text ? Reading::as_number : reading) ? std::optional(text)
                                                                                          : std::nullopt;
}

}  // namespace trustsql::plan
