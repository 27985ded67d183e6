#include "equiv/refuter/column_values.hpp"

#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "equiv/refuter/date_values.hpp"
#include "plan/evaluate.hpp"
#include "plan/plan.hpp"

namespace trustsql::equiv {

using plan::apply_affinity;

namespace {

constexpr std::size_t max_hinted_values = 32;
constexpr std::size_t max_hinted_odd = 8;
constexpr std::size_t max_days = 6;
constexpr std::size_t longest_text = 200;
constexpr int max_varied = 4;  // values of a list that are varied in letter case
constexpr std::int64_t largest = std::int64_t{1} << 60;

// Whether the text may be cut at any byte.
bool is_ascii(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

// The text with the digit at `at` increased by one, or decreased by one if it is a nine.
std::string with_other_digit(std::string text, std::size_t place) {
  text[place] = static_cast<char>(text[place] == '9' ? '8' : text[place] + 1);
  return text;
}

// An instance of a LIKE pattern: wildcards filled with `filler`.
std::string instance_of(std::string_view pattern, std::string_view filler) {
  std::string text;
  for (const char c : pattern) {
    if (c == '%') {
      text += filler;
    } else if (c == '_') {
      text += 'x';
    } else {
      text += c;
    }
  }
  return text;
}

// The texts between the wildcards of a LIKE pattern, the last one first.
std::string reversed_pieces(std::string_view pattern) {
  std::string text;
  for (std::size_t begin = 0; begin <= pattern.size();) {
    const auto end = std::min(pattern.find_first_of("%_", begin), pattern.size());
    text.insert(0, pattern.substr(begin, end - begin));
    begin = end + 1;
  }
  return text;
}

}  // namespace

bool looks_like_date(std::string_view text) {
  if (text.size() < 10) return false;
  for (std::size_t i = 0; i < 10; ++i) {
    if (i == 4 || i == 7 ? text[i] != '-' : !is_digit(text[i])) return false;
  }
  return true;
}

void ColumnValuesMaker::add(const Value& constant) {
  take(constant);
  const Value value = fitted(constant, kind_);
  if (const auto* text = std::get_if<std::string>(&value); text != nullptr && plan::is_date(reading_)) {
    for (const auto& date : dates_around(*text, reading_)) take(date);
  }
  if (const auto* integer = std::get_if<std::int64_t>(&value)) {
    if (*integer < largest) take(*integer + 1);
    if (*integer > -largest) take(*integer - 1);
    if (kind_ != ColumnKind::integer) take(static_cast<double>(*integer) + 0.5);
    take_odd(static_cast<double>(*integer) + 0.5);
    take_odd(std::to_string(*integer) + "x");
  } else if (const auto* real = std::get_if<double>(&value)) {
    take(*real + 0.5);
    take(*real - 0.5);
    take(std::ceil(*real));
    if (std::floor(*real) == *real && std::abs(*real) < static_cast<double>(largest))
      take_odd(std::to_string(static_cast<std::int64_t>(*real)) + "x");
  } else if (const auto* text = std::get_if<std::string>(&value)) {
    add_neighbours(*text);
    if (const auto number = apply_affinity(value, Affinity::numeric)) {
      if (const auto* digits = std::get_if<std::int64_t>(&*number); digits != nullptr && kind_ == ColumnKind::text) {
        if (*digits < largest) take(std::to_string(*digits + 1));
        if (*digits > -largest) take(std::to_string(*digits - 1));
        // Fewer digits, but after it in text order.
        if (text->size() > 1 && is_digit(text->front())) take("9" + std::string(text->size() - 2, '0'));
        if (!text->empty()) take("0" + *text);
      }
    }
  }
}

void ColumnValuesMaker::add_pattern(const std::string& pattern) {
  if (kind_ == ColumnKind::integer || kind_ == ColumnKind::real || kind_ == ColumnKind::number) {
    add(instance_of(pattern, ""));
    return;
  }
  for (const char* filler : {"x", "", "y z"}) take(instance_of(pattern, filler));
  const std::string bare = instance_of(pattern, "");
  take("x" + bare);
  take(bare + "x");
  if (bare.size() > 1 && is_ascii(bare)) take(bare.substr(1));
  take(reversed_pieces(pattern));
}

void ColumnUse::add(const ColumnUse& other) {
  numeric = numeric || other.numeric;
  worded = worded || other.worded;
  dated = dated || other.dated;
  longest = std::max(longest, other.longest);
  with_numbers = with_numbers || other.with_numbers;
  decimals = std::max(decimals, other.decimals);
  for (const int each : other.days)
    if (days.size() < max_days && std::ranges::find(days, each) == days.end()) days.push_back(each);
}

namespace {

using Values = std::vector<Value>;

// Queries that calculate tell negative numbers and zero from others.
Values with_signs(Values values, ColumnKind kind, const ColumnUse& use) {
  if (!use.numeric) return values;
  values.emplace_back(kind == ColumnKind::real ? Value(-1.5) : Value(std::int64_t{-3}));
  values.emplace_back(kind == ColumnKind::real ? Value(0.0) : Value(std::int64_t{0}));
  return values;
}

Values numbers_for(ColumnKind kind, const ColumnUse& use) {
  Values values;
  switch (kind) {
    case ColumnKind::real: values = {1.5, 2.0, 2.5, 4.0}; break;
    // Integer division differs from real division, so both kinds of numbers occur.
    case ColumnKind::number: values = {std::int64_t{1}, std::int64_t{2}, 2.5, std::int64_t{4}}; break;
    default: return with_signs({std::int64_t{1}, std::int64_t{2}, std::int64_t{3}, std::int64_t{4}}, kind, use);
  }
  if (use.decimals >= 0) {
    const double step = std::pow(10, -std::min(use.decimals, 12));
    values.emplace_back(1 + 0.4 * step);
    values.emplace_back(2 + 0.6 * step);
  }
  return with_signs(std::move(values), kind, use);
}

Values texts_for(const ColumnUse& use, plan::Reading reading) {
  const auto texts = [](std::initializer_list<const char*> list) {
    Values values;
    for (const char* text : list) values.emplace_back(std::string(text));
    return values;
  };
  // In another order as texts than as numbers.
  if (reading == plan::Reading::as_integer) return texts({"9", "10", "2", "1"});
  if (reading == plan::Reading::as_number) return texts({"9", "10", "2", "2.5"});
  if (use.dated) {
    auto dates = dates_apart(use.days);
    dates.emplace_back("2021-07-01 18:00:00");
    return dates;
  }
  if (use.with_numbers) return texts({"1", "2", "3", "4"});
  if (use.numeric) return texts({"9", "10", "2", "2.5"});
  if (!use.worded) return texts({"a", "b", "c", "d"});
  auto values = texts({"a", "b", " c ", "", "d e", "\u00e9"});
  std::string word;
  for (std::size_t i = 0; i < std::min(use.longest + 1, longest_text); ++i) word += static_cast<char>('f' + i % 20);
  if (word.size() > 1) values.emplace_back(std::move(word));
  return values;
}

}  // namespace

Values ColumnValuesMaker::common_values(const ColumnUse& use) const {
  static const Values datetimes = {std::string("2020-01-01 10:00:00"), std::string("2021-06-15 12:30:00"),
                                   std::string("2021-06-15 18:00:00"), std::string("2022-12-31 23:59:59")};
  static const Values times = {std::string("08:00:00"), std::string("12:30:00"), std::string("18:00:00")};
  static const Values truths = {std::int64_t{0}, std::int64_t{1}};
  if (reading_ == plan::Reading::as_date) return dates_apart(use.days);
  if (reading_ == plan::Reading::as_datetime) return datetimes;
  switch (kind_) {
    case ColumnKind::integer:
    case ColumnKind::real:
    case ColumnKind::number: return numbers_for(kind_, use);
    case ColumnKind::text: return texts_for(use, reading_);
    case ColumnKind::date: return use.numeric ? numbers_for(kind_, {}) : dates_apart(use.days);
    case ColumnKind::datetime: return datetimes;
    case ColumnKind::time: return times;
    case ColumnKind::boolean: return truths;
    case ColumnKind::any: break;
  }
  const bool hints_are_texts = std::ranges::any_of(
      values_.hinted, [](const Value& value) { return std::holds_alternative<std::string>(value); });
  return hints_are_texts || use.worded || use.dated ? texts_for(use, plan::Reading::as_text) : numbers_for(kind_, use);
}

ColumnValues ColumnValuesMaker::finish(const ColumnUse& use) {
  const auto common = common_values(use);
  for (const auto& value : common) {
    if (!varies_from_hint(value)) values_.common.push_back(value);
  }
  if (values_.common.empty()) values_.common = values_.hinted;
  for (const auto* list : {&values_.hinted, &values_.common}) {
    int varied = 0;
    for (auto value = list->begin(); value != list->end() && varied < max_varied; ++value) {
      if (add_variants(*value)) ++varied;
    }
  }
  if (reading_ != plan::Reading::as_text) {
    const auto first = std::get<std::string>((values_.hinted.empty() ? values_.common : values_.hinted).front());
    const auto other_dates = {first + " 12:30:00", first.substr(0, 10), first.substr(0, 7),
                              first + "x",         std::string("n/a"),  std::string()};
    const auto other_numbers = {"0" + first, " " + first,        first + ".0", first + ".5",
                                first + "x", std::string("abc"), std::string()};
    for (const auto& text : plan::is_date(reading_) ? std::vector(other_dates) : std::vector(other_numbers)) {
      if (!plan::is_read_as(text, reading_)) values_.misread.emplace_back(text);
    }
  }
  switch (kind_) {
    case ColumnKind::integer:
      for (const Value& value : {Value(2.5), Value(std::string("abc")), Value(std::string("10x"))})
        values_.odd.push_back(value);
      break;
    case ColumnKind::real:
    case ColumnKind::number:
      for (const Value& value : {Value(std::string("abc")), Value(std::string("10x"))}) values_.odd.push_back(value);
      break;
    case ColumnKind::any:
      for (const Value& value : {Value(std::string("10")), Value(std::int64_t{10}), Value(2.0), Value(Blob{"a"})})
        values_.odd.push_back(value);
      break;
    default: values_.odd.emplace_back(Blob{"a"}); break;
  }
  return std::move(values_);
}

bool ColumnValuesMaker::varies_from_hint(const Value& value) const {
  const auto* text = std::get_if<std::string>(&value);
  if (text == nullptr) return false;
  return std::ranges::any_of(values_.hinted, [&](const Value& other) {
    const auto* known = std::get_if<std::string>(&other);
    return known != nullptr && *known != *text && equals_ignore_case(*known, *text);
  });
}

void ColumnValuesMaker::take(const Value& constant) {
  const Value value = fitted(constant, kind_);
  const auto same = [&](const Value& known) { return known == value; };
  if (!is_of_kind(value, kind_)) {
    take_odd(value);
    return;
  }
  if (!is_read_as(value, reading_)) {
    if (std::ranges::none_of(values_.misread, same)) values_.misread.push_back(value);
    if (const auto date = plan::is_date(reading_) ? date_like(value, reading_) : std::nullopt) take(*date);
    return;
  }
  if (values_.hinted.size() >= max_hinted_values || std::ranges::any_of(values_.hinted, same)) return;
  if (const auto* text = std::get_if<std::string>(&value); text != nullptr && text->size() > longest_text) return;
  if (varies_from_hint(value)) {
    values_.variants.push_back(value);
  } else {
    values_.hinted.push_back(value);
  }
}

// Few, so that values of other types that suit every column are not outnumbered.
void ColumnValuesMaker::take_odd(Value value) {
  if (values_.odd.size() < max_hinted_odd && std::ranges::find(values_.odd, value) == values_.odd.end())
    values_.odd.push_back(std::move(value));
}

void ColumnValuesMaker::add_neighbours(const std::string& text) {
  if (looks_like_date(text)) {
    take(with_other_digit(text, 9));
    take(with_other_digit(text, 6));
    take(with_other_digit(text, 3));
    if (text.size() > 10) take(text.substr(0, 10));
    return;
  }
  if (text.size() == 4 && std::ranges::all_of(text, is_digit) && kind_ != ColumnKind::text) {  // a year
    take(text + "-06-15");
    take(with_other_digit(text, 3) + "-06-15");
  }
  if (rtrim_) take(text + " ");
  take(text + "x");
  if (text.size() > 1) take("x" + text);
  if (text.empty() || !is_ascii(text)) return;
  // Text that sorts just before it.
  const char last = text.back();
  if ((last > 'a' && last <= 'z') || (last > 'A' && last <= 'Z') || (last > '0' && last <= '9'))
    take(text.substr(0, text.size() - 1) + static_cast<char>(last - 1));
  if (text.size() > 2) take(text.substr(0, text.size() - 1));
}

bool ColumnValuesMaker::add_variants(const Value& value) {
  const auto* text = std::get_if<std::string>(&value);
  if (text == nullptr) return false;
  std::string upper = *text;
  for (char& c : upper) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  std::string lower = to_lower_ascii(*text);
  const bool has_lower = upper != *text;
  const bool has_upper = lower != *text;
  if (has_lower) values_.variants.emplace_back(std::move(upper));
  if (has_upper) values_.variants.emplace_back(std::move(lower));
  return has_lower || has_upper;
}

Value fitted(const Value& value, ColumnKind kind) {
  switch (kind) {
    case ColumnKind::text:
    case ColumnKind::date:
    case ColumnKind::datetime:
    case ColumnKind::time:
      if (kind != ColumnKind::text) return value;
      if (const auto* integer = std::get_if<std::int64_t>(&value)) return std::to_string(*integer);
      if (const auto* real = std::get_if<double>(&value)) return format_real(*real);
      return value;
    case ColumnKind::integer:
    case ColumnKind::real:
    case ColumnKind::number:
      if (std::holds_alternative<std::string>(value)) {
        auto number = apply_affinity(value, Affinity::numeric);
        if (number && !std::holds_alternative<std::string>(*number)) return fitted(*number, kind);
        return value;
      }
      if (const auto* integer = std::get_if<std::int64_t>(&value); integer != nullptr && kind == ColumnKind::real)
        return static_cast<double>(*integer);
      if (const auto* real = std::get_if<double>(&value); real != nullptr && kind == ColumnKind::integer) {
        if (std::abs(*real) < static_cast<double>(largest) && std::floor(*real) == *real)
          return static_cast<std::int64_t>(*real);
      }
      return value;
    case ColumnKind::boolean:
    case ColumnKind::any: break;
  }
  return value;
}

}  // namespace trustsql::equiv
