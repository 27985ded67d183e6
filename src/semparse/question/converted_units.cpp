#include "semparse/question/converted_units.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "semparse/question/sentence.hpp"
#include "semparse/question/units.hpp"
#include "semparse/words/word_list.hpp"

namespace trustsql::semparse {

namespace {

struct Conversion {
  std::string_view large;
  std::string_view small;
  double factor;  // how many small ones a large one is
};
constexpr Conversion conversions[] = {
    {"hr", "min", 60},    {"min", "s", 60},     {"hr", "s", 3600}, {"day", "hr", 24},    {"week", "day", 7},
    {"km", "m", 1000},    {"m", "cm", 100},     {"m", "mm", 1000}, {"cm", "mm", 10},     {"t", "kg", 1000},
    {"kg", "g", 1000},    {"g", "mg", 1000},    {"l", "ml", 1000}, {"usd", "cent", 100}, {"eur", "cent", 100},
    {"lb", "pence", 100}, {"gbp", "pence", 100}};

struct UnitName {
  std::string_view unit;
  std::string_view plural;
};
constexpr UnitName unit_plurals[] = {
    {"min", "minutes"},    {"s", "seconds"},      {"hr", "hours"},      {"day", "days"}, {"m", "metres"},
    {"cm", "centimetres"}, {"mm", "millimetres"}, {"km", "kilometres"}, {"g", "grams"},  {"kg", "kilograms"},
    {"mg", "milligrams"},  {"l", "litres"},       {"ml", "ml"},         {"t", "tonnes"}, {"week", "weeks"},
    {"cent", "cents"},     {"pence", "pence"}};

// How many of `to` are one of `from`.
std::optional<double> factor(std::string_view from, std::string_view to) {
  for (const auto& each : conversions) {
    if (each.large == from && each.small == to) return each.factor;
    if (each.large == to && each.small == from) return 1 / each.factor;
  }
  return std::nullopt;
}

std::string_view unit_of_column(const DomainColumn& column) {
  std::string_view unit;
  if (column.kind != DataKind::number || column.is_id) return unit;
  for (const auto& word : column.all_words)
    if (const auto own = unit_of(word); !own.empty()) unit = own;
  return unit;
}

std::string text_of_number(double number) {
  char text[32];
  std::snprintf(text, sizeof text, "%.15g", number);
  return text;
}

class ConvertedUnits : private Sentence {
 public:
  using Sentence::Sentence;

  std::vector<Edit> find() {
    for (const auto& mention : view_.linking().numbers) {
      const auto unit = mention.span.last;
      if (mention.second || mention.scale != 1 || mention.spelled || mention.span.first < unit - 1) continue;
      if (const auto* integer = std::get_if<std::int64_t>(&mention.value))
        convert(mention.span, static_cast<double>(*integer));
      if (const auto* real = std::get_if<double>(&mention.value)) convert(mention.span, *real);
    }
    // "More than an hour".
    constexpr std::string_view bounds[] = {"than", "over", "under", "least", "most", "exceed", "exceeds"};
    for (std::size_t i = 1; i + 1 < end_; ++i) {
      if (at(i) != "a" && at(i) != "an") continue;
      const bool half = at(i - 1) == "half";
      if (half ? i > 1 && is_listed(bounds, at(i - 2)) : is_listed(bounds, at(i - 1)))
        convert({half ? i - 1 : i, i + 1}, half ? 0.5 : 1);
    }
    return in_order(std::move(edits_));
  }

 private:
  // The amount before the unit behind `amount`.
  void convert(WordSpan amount, double number) {
    constexpr std::string_view times_before[] = {"last", "past", "next", "within", "every", "in"};
    constexpr std::string_view times_behind[] = {"ago", "before", "after", "later", "old", "earlier"};
    if (amount.last >= end_ || words_[amount.last].quoted) return;
    auto last = amount.last + 1;
    if (at(last) == "and" && at(last + 1) == "a" && at(last + 2) == "half") {
      number += 0.5;
      last += 3;
    }
    const auto unit = unit_of(at(amount.last));
    if (unit.empty() || is_listed(times_behind, at(last)) ||
        (amount.first > 0 && is_listed(times_before, at(amount.first - 1))))
      return;
    std::string_view to;
    for (const auto& column : view_.domain().columns()) {
      const auto own = unit_of_column(column);
      if (own == unit || (factor(unit, own) && !to.empty() && to != own)) return;
      if (factor(unit, own)) to = own;
    }
    // No part of a day is meant by "8 hours", where courses last days.
    if (to.empty() || number * *factor(unit, to) < 1) return;
    const auto* const name = std::find_if(std::begin(unit_plurals), std::end(unit_plurals),
                                          [to](const UnitName& each) { return each.unit == to; });
    if (name == std::end(unit_plurals)) return;
    edits_.push_back(
        {{amount.first, last}, text_of_number(number * *factor(unit, to)) + " " + std::string(name->plural)});
  }

  std::vector<Edit> edits_{};
};

}  // namespace

std::vector<Edit> unit_edits(const QuestionView& view) { return ConvertedUnits(view).find(); }

}  // namespace trustsql::semparse
