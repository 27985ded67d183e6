#include "semparse/question/units.hpp"

#include <algorithm>
#include <iterator>

#include "semparse/question/gradable.hpp"
#include "semparse/words/word_list.hpp"

namespace trustsql::semparse {

namespace {

struct UnitWord {
  std::string_view word;
  std::string_view unit;
  bool ends_names;  // people leave it out where it stands at the end of a name
};

// In base forms and, for those that word_forms() may leave as they are, in the plural. "Min" may be a minimum.
constexpr UnitWord unit_names[] = {
    {"kg", "kg", true},
    {"kilo", "kg", false},
    {"kilogram", "kg", true},
    {"kilograms", "kg", false},
    {"km", "km", true},
    {"kilometer", "km", true},
    {"kilometre", "km", false},
    {"kilometers", "km", false},
    {"kilometres", "km", false},
    {"cm", "cm", true},
    {"centimeter", "cm", false},
    {"centimetre", "cm", false},
    {"centimeters", "cm", false},
    {"centimetres", "cm", false},
    {"mm", "mm", true},
    {"millimeter", "mm", false},
    {"millimeters", "mm", false},
    {"m", "m", false},
    {"meter", "m", true},
    {"metre", "m", true},
    {"meters", "m", false},
    {"metres", "m", false},
    {"mi", "mi", true},
    {"mile", "mi", false},
    {"miles", "mi", false},
    {"ft", "ft", true},
    {"foot", "ft", false},
    {"feet", "ft", true},
    {"inch", "in", false},
    {"inches", "in", false},
    {"lb", "lb", true},
    {"lbs", "lb", true},
    {"pound", "lb", false},
    {"pounds", "lb", false},
    {"ton", "t", false},
    {"tons", "t", false},
    {"tonne", "t", false},
    {"tonnes", "t", false},
    {"usd", "usd", true},
    {"dollar", "usd", false},
    {"dollars", "usd", false},
    {"eur", "eur", true},
    {"euro", "eur", false},
    {"euros", "eur", false},
    {"gbp", "gbp", true},
    {"cent", "cent", true},
    {"cents", "cent", true},
    {"penny", "pence", false},
    {"pence", "pence", true},
    {"minute", "min", false},
    {"minutes", "min", false},
    {"mins", "min", true},
    {"hour", "hr", false},
    {"hours", "hr", false},
    {"hr", "hr", true},
    {"hrs", "hr", true},
    {"second", "s", false},
    {"seconds", "s", false},
    {"sec", "s", true},
    {"secs", "s", true},
    {"day", "day", false},
    {"days", "day", false},
    {"week", "week", false},
    {"weeks", "week", false},
    {"knot", "kn", false},
    {"knots", "kn", false},
    {"percent", "pct", true},
    {"pct", "pct", true},
    {"liter", "l", false},
    {"liters", "l", false},
    {"litre", "l", false},
    {"litres", "l", false},
    {"gram", "g", false},
    {"grams", "g", false},
    {"g", "g", true},
    {"mg", "mg", false},
    {"milligram", "mg", false},
    {"sqm", "sqm", false},
    {"sqft", "sqft", true},
    {"gb", "gb", true},
    {"mb", "mb", true},
    {"mph", "mph", true},
    {"kmh", "kmh", true},
    {"km/h", "kmh", true},
    {"ml", "ml", true},
    {"min", "", true},
    {"ms", "ms", true},
    {"kw", "kw", true},
    {"kwh", "kwh", true},
    {"ha", "ha", true},
    {"hectare", "ha", true},
    {"hectares", "ha", false},
};

const UnitWord* find_unit(std::string_view word) {
  const auto* const entry = std::find_if(std::begin(unit_names), std::end(unit_names),
                                         [word](const UnitWord& each) { return each.word == word; });
  return entry == std::end(unit_names) ? nullptr : entry;
}

}  // namespace

std::string_view unit_of(std::string_view word) {
  const auto* const entry = find_unit(word);
  return entry == nullptr ? std::string_view() : entry->unit;
}

bool is_unit_of_name(std::string_view word) {
  if (word == "thousand" || word == "million" || word == "billion") return true;
  const auto* const entry = find_unit(word);
  return entry != nullptr && entry->ends_names;
}

bool may_be_in(const DomainColumn& column, std::string_view unit) {
  // Numbers of things: no book has five hours of pages.
  constexpr std::string_view counted[] = {"page", "copy", "copies", "seat",      "goal",
                                          "room", "bed",  "piece",  "population"};
  if (std::any_of(column.all_words.begin(), column.all_words.end(),
                  [&counted](const std::string& word) { return is_listed(counted, word); }))
    return false;
  bool has_unit = false;
  for (const auto& word : column.all_words) {
    const auto own = unit_of(word);
    if (own.empty()) continue;
    has_unit = true;
    if (own == unit) return true;
  }
  constexpr std::string_view currencies[] = {"usd", "eur", "gbp", "lb"};  // a pound may be one
  return !has_unit && (!is_price(column) || is_listed(currencies, unit));
}

double scale_of(std::string_view word) {
  if (word == "thousand") return 1e3;
  if (word == "million" || word == "millions") return 1e6;
  return word == "billion" || word == "billions" ? 1e9 : 0;
}

bool is_scaled(const DomainColumn& column, double scale) {
  return std::any_of(column.all_words.begin(), column.all_words.end(),
                     [scale](const std::string& word) { return scale_of(word) == scale; });
}

}  // namespace trustsql::semparse
