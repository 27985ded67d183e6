#include "semparse/units.hpp"

#include <algorithm>
#include <iterator>

namespace trustsql::semparse {

namespace {

struct UnitWord {
  std::string_view word;
  std::string_view unit;
};

// In base forms and, for those that word_forms() may leave as they are, in the plural.
constexpr UnitWord unit_names[] = {
    {"kg", "kg"},          {"kilo", "kg"},        {"kilogram", "kg"},
    {"kilograms", "kg"},   {"km", "km"},          {"kilometer", "km"},
    {"kilometre", "km"},   {"kilometers", "km"},  {"kilometres", "km"},
    {"cm", "cm"},          {"centimeter", "cm"},  {"centimetre", "cm"},
    {"centimeters", "cm"}, {"centimetres", "cm"}, {"mm", "mm"},
    {"millimeter", "mm"},  {"millimeters", "mm"}, {"m", "m"},
    {"meter", "m"},        {"metre", "m"},        {"meters", "m"},
    {"metres", "m"},       {"mi", "mi"},          {"mile", "mi"},
    {"miles", "mi"},       {"ft", "ft"},          {"foot", "ft"},
    {"feet", "ft"},        {"inch", "in"},        {"inches", "in"},
    {"lb", "lb"},          {"lbs", "lb"},         {"pound", "lb"},
    {"pounds", "lb"},      {"ton", "t"},          {"tons", "t"},
    {"tonne", "t"},        {"tonnes", "t"},       {"usd", "usd"},
    {"dollar", "usd"},     {"dollars", "usd"},    {"eur", "eur"},
    {"euro", "eur"},       {"euros", "eur"},      {"gbp", "gbp"},
    {"minute", "min"},     {"minutes", "min"},    {"mins", "min"},
    {"hour", "hr"},        {"hours", "hr"},       {"hr", "hr"},
    {"hrs", "hr"},         {"second", "s"},       {"seconds", "s"},
    {"sec", "s"},          {"secs", "s"},         {"day", "day"},
    {"days", "day"},       {"week", "week"},      {"weeks", "week"},
    {"knot", "kn"},        {"knots", "kn"},       {"percent", "pct"},
    {"pct", "pct"},        {"liter", "l"},        {"liters", "l"},
    {"litre", "l"},        {"litres", "l"},       {"gram", "g"},
    {"grams", "g"},        {"mg", "mg"},          {"milligram", "mg"},
    {"sqm", "sqm"},        {"sqft", "sqft"},      {"gb", "gb"},
    {"mb", "mb"},
};

}  // namespace

std::string_view unit_of(std::string_view word) {
  const auto* const entry = std::find_if(std::begin(unit_names), std::end(unit_names),
                                         [word](const UnitWord& each) { return each.word == word; });
  return entry == std::end(unit_names) ? std::string_view() : entry->unit;
}

bool may_be_in(const DomainColumn& column, std::string_view unit) {
  bool has_unit = false;
  for (const auto& word : column.all_words) {
    const auto own = unit_of(word);
    if (own.empty()) continue;
    has_unit = true;
    if (own == unit) return true;
  }
  return !has_unit;
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
