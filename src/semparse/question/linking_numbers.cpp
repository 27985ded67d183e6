// Numbers and dates of a question, and ranges of them.

#include <algorithm>
#include <string>
#include <variant>

#include "plan/date_text.hpp"
#include "semparse/question/linking.hpp"
#include "semparse/question/units.hpp"
#include "semparse/words/spelled_dates.hpp"

namespace trustsql::semparse {

namespace {

// "-5", with a blank in front of the sign, and "minus 5".
bool is_negative(const Question& question, std::size_t at) {
  if (at == 0) return false;
  const auto& sign = question.words[at - 1];
  if (sign.lower == "minus") return true;
  return sign.text == "-" && sign.end == question.words[at].begin &&
         (at == 1 || question.words[at - 2].end < sign.begin);
}

}  // namespace

void QuestionLinker::find_numbers(const Question& question, Linking& linking) {
  const auto is_taken = [&linking](WordSpan span) {
    return std::any_of(linking.values.begin(), linking.values.end(),
                       [&](const ValueMention& value) { return value.span.overlaps(span); });
  };
  for (std::size_t i = 0; i < question.words.size(); ++i) {
    const auto& word = question.words[i];
    if (const auto date = spelled_date_at(question, i); date && !is_taken(date->span)) {
      linking.numbers.push_back({.span = date->span, .value = date->text, .exists = date->exists, .spelled = true});
      i = date->span.last - 1;
      continue;
    }
    if (!word.number) continue;
    const bool negative = is_negative(question, i);
    const WordSpan span{negative ? i - 1 : i, i + 1};
    if (is_taken(span)) continue;
    const double number = negative ? -*word.number : *word.number;
    // "2009-01-31"
    const auto& words = question.words;
    const bool date = i + 4 < words.size() && words[i].text.size() == 4 && words[i + 1].text == "-" &&
                      words[i + 3].text == "-" && words[i + 2].number && words[i + 4].number &&
                      words[i + 4].end - word.begin == 10;
    if (date) {
      const std::string text(question.text_of({i, i + 5}));
      linking.numbers.push_back(
          {.span = {i, i + 5}, .value = text, .exists = !is_day_text(text) || plan::is_date_text(text)});
      i += 4;
      continue;
    }
    // "Half a million".
    const double part = scale_of(word.lower);
    if (part > 0 && i >= 2 && words[i - 1].lower == "a" && words[i - 2].lower == "half") {
      linking.numbers.push_back({.span = {i - 2, i + 1}, .value = number_value(part / 2), .scale = part});
      continue;
    }
    // "5 million" is one number.
    const double scale = i + 1 < words.size() && !words[i + 1].quoted ? scale_of(words[i + 1].lower) : 0;
    if (scale > 0) {
      linking.numbers.push_back({.span = {span.first, i + 2}, .value = number_value(number * scale), .scale = scale});
      ++i;
      continue;
    }
    linking.numbers.push_back({.span = span, .value = number_value(number)});
  }
  // "between 3 and 5", "from 3 to 5"
  for (std::size_t i = 0; i + 1 < linking.numbers.size(); ++i) {
    auto& low = linking.numbers[i];
    const auto& high = linking.numbers[i + 1];
    const auto first = low.span.first;
    if (high.span.first != low.span.last + 1 || first == 0) continue;
    const auto& before = question.words[first - 1].lower;
    const auto& middle = question.words[low.span.last].lower;
    const bool range = (before == "between" && middle == "and") || (before == "from" && middle == "to");
    if (!range || low.spelled != high.spelled || (low.scale != 1 && low.scale != high.scale)) continue;
    if (low.scale == 1 && high.scale != 1)
      if (const auto* number = std::get_if<std::int64_t>(&low.value))
        low.value = number_value(static_cast<double>(*number) * high.scale);
    low.scale = high.scale;
    low.second = high.value;
    low.span.last = high.span.last;
    linking.numbers.erase(linking.numbers.begin() + static_cast<std::ptrdiff_t>(i) + 1);
  }
}

}  // namespace trustsql::semparse
