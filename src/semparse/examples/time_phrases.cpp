#include "semparse/examples/time_phrases.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "semparse/words/spelled_dates.hpp"

namespace trustsql::semparse {

namespace {

constexpr std::array<std::string_view, 8> time_units = {"second", "minute", "hour",    "day",
                                                        "week",   "month",  "quarter", "year"};

struct RelationWord {
  std::string_view word;
  std::string_view relation;
};
// The relation that stands before a time. Words that do not restrict it further are all "in".
constexpr std::array<RelationWord, 17> relation_words = {{{"since", "since"},
                                                          {"from", "since"},
                                                          {"starting", "since"},
                                                          {"after", "after"},
                                                          {"until", "until"},
                                                          {"till", "until"},
                                                          {"by", "until"},
                                                          {"before", "before"},
                                                          {"in", "in"},
                                                          {"on", "in"},
                                                          {"during", "in"},
                                                          {"within", "in"},
                                                          {"throughout", "in"},
                                                          {"over", "in"},
                                                          {"at", "in"},
                                                          {"of", "in"},
                                                          {"for", "in"}}};

// What the rules try at a position; `end` is one past its last word.
struct TimeMatch {
  std::size_t end = 0;
  std::string shape{};
  std::vector<TimeNumber> numbers{};
  bool needs_relation = false;  // a mere number: a year only behind "in", "since" ...
};

class TimeReader {
 public:
  TimeReader(std::string_view text, const std::vector<PatternWord>& words) : text_(text), words_(words) {}

  std::optional<TimeMatch> read(std::size_t at) const {
    if (auto match = ago(at)) return match;
    if (auto match = date(at)) {
      add_clock(*match);
      return match;
    }
    return period_and_part(at);
  }

 private:
  bool is(std::size_t at, std::string_view word) const { return at < words_.size() && words_[at].text == word; }

  std::optional<std::string_view> unit(std::size_t at) const {
    if (at >= words_.size()) return std::nullopt;
    std::string_view word = words_[at].text;
    if (word.ends_with('s')) word.remove_suffix(1);
    const auto* found = std::find(time_units.begin(), time_units.end(), word);
    if (found == time_units.end()) return std::nullopt;
    return *found;
  }
  std::optional<int> whole(std::size_t at) const {
    if (at >= words_.size()) return std::nullopt;
    const auto& number = words_[at].number;
    if (!number || *number != std::floor(*number) || *number < 0 || *number > 9999) return std::nullopt;
    return static_cast<int>(*number);
  }
  std::optional<int> month_name(std::size_t at) const {
    if (at >= words_.size()) return std::nullopt;
    const std::string_view word = words_[at].text;
    for (std::size_t i = 0; i < month_names.size(); ++i) {
      const bool shortened = word.size() >= 3 && word.size() <= 4 && month_names[i].starts_with(word);
      if (word == month_names[i] || (shortened && word != "mar" && word != "may")) return static_cast<int>(i) + 1;
    }
    return std::nullopt;
  }
  // Digits of that many places, which stand for a part of a date.
  std::optional<int> part(std::size_t at, std::size_t places, int low, int high) const {
    if (at >= words_.size() || !words_[at].digits || words_[at].text.size() > places) return std::nullopt;
    if (places == 4 && words_[at].text.size() != 4) return std::nullopt;
    const auto value = whole(at);
    if (!value || *value < low || *value > high) return std::nullopt;
    return value;
  }
  std::optional<int> year(std::size_t at) const { return part(at, 4, 1000, 2999); }
  std::optional<int> month(std::size_t at) const { return part(at, 2, 1, 12); }
  std::optional<int> day(std::size_t at) const { return part(at, 2, 1, 31); }

  // The character between two words, if it is all that separates them.
  char between(std::size_t at) const {
    if (at + 1 >= words_.size() || words_[at].end + 1 != words_[at + 1].begin) return '\0';
    return text_[words_[at].end];
  }
  bool joined(std::size_t at, std::size_t count) const {
    const char mark = between(at);
    if (mark != '/' && mark != '-') return false;
    for (std::size_t i = 1; i < count; ++i)
      if (between(at + i) != mark) return false;
    return true;
  }

  // "this month", "the last year"; the shape is "this month".
  std::optional<TimeMatch> named_period(std::size_t at) const {
    if (is(at, "today")) return TimeMatch{at + 1, "this day"};
    if (is(at, "yesterday")) return TimeMatch{at + 1, "last day"};
    const auto begin = is(at, "the") ? at + 1 : at;
    const auto which = [&]() -> std::string {
      if (is(begin, "this") || is(begin, "current")) return "this ";
      if (is(begin, "last") || is(begin, "previous") || is(begin, "past")) return "last ";
      return is(begin, "next") ? "next " : "";
    }();
    if (which.empty()) return std::nullopt;
    if (const auto name = unit(begin + 1); name && !words_[begin + 1].text.ends_with('s'))
      return TimeMatch{begin + 2, which + std::string(*name)};
    // "the last 3 months"
    const auto count = whole(begin + 1);
    if (const auto name = unit(begin + 2); name && count && which == "last ")
      return TimeMatch{begin + 3, "last count " + std::string(*name), {{TimePart::count, *count}}};
    return std::nullopt;
  }

  // "this month/25", "last year/07", "this year/07/12"
  std::optional<TimeMatch> period_and_part(std::size_t at) const {
    auto match = named_period(at);
    if (!match || !match->numbers.empty() || match->end >= words_.size() || between(match->end - 1) != '/')
      return match;
    const auto next = match->end;
    if (match->shape.ends_with(" month") && day(next)) {
      match->numbers = {{TimePart::day, *day(next)}};
      match->shape.insert(0, "day ");
      match->end = next + 1;
    } else if (match->shape.ends_with(" year") && month(next)) {
      match->numbers = {{TimePart::month, *month(next)}};
      match->end = next + 1;
      const bool has_day = next + 1 < words_.size() && between(next) == '/' && day(next + 1).has_value();
      if (has_day) {
        match->numbers.push_back({TimePart::day, *day(next + 1)});
        match->end = next + 2;
      }
      match->shape.insert(0, has_day ? "month day " : "month ");
    }
    return match;
  }

  // "10:30", "10:30:00" behind a date
  void add_clock(TimeMatch& match) const {
    std::size_t parts = 0;
    const auto next = match.end;
    while (parts < 3 && part(next + parts, 2, 0, 59)) {
      ++parts;
      if (between(next + parts - 1) != ':') break;
    }
    if (parts < 2) return;
    constexpr std::array<std::string_view, 3> names = {" hour", " minute", " second"};
    for (std::size_t i = 0; i < parts; ++i) {
      match.numbers.push_back({TimePart::clock, *part(next + i, 2, 0, 59)});
      match.shape += names[i];
    }
    match.end = next + parts;
    match.needs_relation = false;
  }

  // "8 months ago", "a year ago"
  std::optional<TimeMatch> ago(std::size_t at) const {
    const bool one = is(at, "a") || is(at, "an");
    const auto count = one ? std::optional<int>(1) : whole(at);
    const auto name = unit(at + 1);
    if (!count || !name || !(is(at + 2, "ago") || is(at + 2, "earlier"))) return std::nullopt;
    return TimeMatch{at + 3, "ago " + std::string(*name), {{TimePart::count, *count}}};
  }

  std::optional<TimeMatch> date(std::size_t at) const {
    const auto of = [](TimePart part, std::optional<int> value) { return TimeNumber{part, *value}; };
    // 2021-07-05, 7/5/2021, 2021-07, 7/2021
    if (joined(at, 2)) {
      if (year(at) && month(at + 1) && day(at + 2))
        return TimeMatch{
            at + 3,
            "year month day",
            {of(TimePart::year, year(at)), of(TimePart::month, month(at + 1)), of(TimePart::day, day(at + 2))}};
      if (month(at) && day(at + 1) && year(at + 2))
        return TimeMatch{
            at + 3,
            "year month day",
            {of(TimePart::year, year(at + 2)), of(TimePart::month, month(at)), of(TimePart::day, day(at + 1))}};
    }
    if (joined(at, 1)) {
      if (year(at) && month(at + 1))
        return TimeMatch{at + 2, "year month", {of(TimePart::year, year(at)), of(TimePart::month, month(at + 1))}};
      if (month(at) && year(at + 1))
        return TimeMatch{at + 2, "year month", {of(TimePart::year, year(at + 1)), of(TimePart::month, month(at))}};
      // 07/this year, 12/this month
      if (const auto period = named_period(at + 1)) {
        if (period->shape.ends_with(" year") && month(at))
          return TimeMatch{period->end, "month " + period->shape, {of(TimePart::month, month(at))}};
        if (period->shape.ends_with(" month") && day(at))
          return TimeMatch{period->end, "day " + period->shape, {of(TimePart::day, day(at))}};
      }
      // 07/12/this year, 07/12
      if (month(at) && day(at + 1)) {
        TimeMatch match{at + 2, "month day", {of(TimePart::month, month(at)), of(TimePart::day, day(at + 1))}, true};
        if (between(at + 1) == '/') {
          if (const auto period = named_period(at + 2)) {
            match.end = period->end;
            match.shape += " " + period->shape;
            match.needs_relation = false;
          }
        }
        return match;
      }
    }
    // July 2021, July 5 2021, July this year, 5 July 2021, July
    if (const auto name = month_name(at)) {
      TimeMatch match{at + 1, "month", {{TimePart::month, *name}}, true};
      auto next = at + 1;
      if (const auto of_month = day(next)) {
        match.numbers.push_back({TimePart::day, *of_month});
        match.shape = "month day";
        match.end = ++next;
      }
      if (is(next, "of") || is(next, "in")) ++next;
      if (const auto in = year(next)) {
        match.numbers.insert(match.numbers.begin(), {TimePart::year, *in});
        match.shape = "year " + match.shape;
        match.end = next + 1;
        match.needs_relation = false;
      } else if (const auto period = named_period(next); period && period->shape.ends_with(" year")) {
        match.shape += " " + period->shape;
        match.end = period->end;
        match.needs_relation = false;
      }
      return match;
    }
    if (const auto in = year(at)) return TimeMatch{at + 1, "year", {{TimePart::year, *in}}, true};
    return std::nullopt;
  }

  std::string_view text_;
  const std::vector<PatternWord>& words_;
};

}  // namespace

std::vector<TimePhrase> find_time_phrases(std::string_view text, const std::vector<PatternWord>& words) {
  const TimeReader reader(text, words);
  std::vector<TimePhrase> phrases;
  for (std::size_t at = 0; at < words.size();) {
    auto match = reader.read(at);
    if (!match) {
      ++at;
      continue;
    }
    // Words before the time belong to it: "since", "in the", "in the year".
    std::size_t begin = at;
    const std::size_t low = phrases.empty() ? 0 : phrases.back().span.last;
    const auto before = [&](std::string_view word) { return begin > low && words[begin - 1].text == word; };
    if (match->shape == "year" && before("year")) --begin;
    if (before("the")) --begin;
    const auto* relation = relation_words.end();
    if (begin > low)
      relation = std::find_if(relation_words.begin(), relation_words.end(),
                              [&](const RelationWord& each) { return each.word == words[begin - 1].text; });
    std::string shape = "in ";
    if (relation != relation_words.end()) {
      shape = std::string(relation->relation) + " ";
      --begin;
    } else if (match->needs_relation) {
      at = match->end;
      continue;
    } else {
      begin = at;
    }
    phrases.push_back({{begin, match->end}, shape + match->shape, std::move(match->numbers)});
    at = match->end;
  }
  return phrases;
}

}  // namespace trustsql::semparse
