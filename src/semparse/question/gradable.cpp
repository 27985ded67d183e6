#include "semparse/question/gradable.hpp"

#include <algorithm>
#include <iterator>

namespace trustsql::semparse {

namespace {

constexpr std::string_view of_price[] = {"price", "cost",    "fee",    "fare", "charge",
                                         "rent",  "premium", "amount", "total"};
constexpr std::string_view of_height[] = {"height", "tall", "elevation", "altitude"};
constexpr std::string_view of_weight[] = {"weight", "mass", "tonnage"};
constexpr std::string_view of_length[] = {"length",   "duration", "minute", "hour", "second", "page",
                                          "distance", "runtime",  "km",     "mile", "time",   "kilometer"};
constexpr std::string_view of_speed[] = {"speed", "velocity", "knot", "kmh", "mph", "time", "duration", "pace"};
constexpr std::string_view of_wealth[] = {"wealth", "income",  "salary", "budget",  "money", "worth",
                                          "gdp",    "revenue", "asset",  "balance", "fund",  "billion"};
constexpr std::string_view of_pay[] = {"salary", "wage", "income", "pay", "earning", "earnings", "revenue", "profit"};
constexpr std::string_view of_size[] = {"size",   "area", "capacity", "population", "volume",  "sqm",
                                        "square", "acre", "acreage",  "space",      "surface", "seat"};
constexpr std::string_view of_value[] = {"value", "worth", "price", "valuation"};
constexpr std::string_view of_depth[] = {"depth"};
constexpr std::string_view of_width[] = {"width"};
constexpr std::string_view of_heat[] = {"temperature"};

// Sorted by the word.
constexpr Gradable gradables[] = {
    {"affordable", false, of_price, true},
    {"big", true, of_size},
    {"cheap", false, of_price, true},
    {"cold", false, of_heat},
    {"cost", true, of_price},
    {"costly", true, of_price, true},
    {"deep", true, of_depth},
    {"earn", true, of_pay},
    {"expensive", true, of_price, true},
    {"fast", true, of_speed},
    {"heavy", true, of_weight},
    {"hot", true, of_heat},
    {"inexpensive", false, of_price, true},
    {"large", true, of_size},
    {"light", false, of_weight},
    {"long", true, of_length},
    {"poor", false, of_wealth},
    {"pricey", true, of_price, true},
    {"quick", true, of_speed},
    {"rich", true, of_wealth},
    {"short", false, of_length},
    {"slow", false, of_speed},
    {"small", false, of_size},
    {"tall", true, of_height},
    {"valuable", true, of_value},
    {"warm", true, of_heat},
    {"wealthy", true, of_wealth},
    {"weigh", true, of_weight},
    {"wide", true, of_width},
};

const Gradable* find_gradable(std::string_view word) {
  static_assert(std::is_sorted(std::begin(gradables), std::end(gradables),
                               [](const Gradable& a, const Gradable& b) { return a.word < b.word; }));
  const auto* const entry = std::lower_bound(std::begin(gradables), std::end(gradables), word,
                                             [](const Gradable& a, std::string_view b) { return a.word < b; });
  return entry != std::end(gradables) && entry->word == word ? entry : nullptr;
}

bool is_gradable_verb(const Gradable& gradable) {
  return gradable.word == "cost" || gradable.word == "earn" || gradable.word == "weigh";
}

}  // namespace

const Gradable* gradable_of(const Word& word) {
  if (word.quoted) return nullptr;
  if (const auto* found = find_gradable(word.lower)) return found;
  for (const auto& lemma : word.lemmas)
    if (const auto* found = find_gradable(lemma)) return found;
  return nullptr;
}

const Gradable* graded_at(const Question& question, std::size_t at) {
  const auto& words = question.words;
  if (at >= words.size() || words[at].quoted) return nullptr;
  const auto& word = words[at].lower;
  const bool before = word == "most" || word == "least" || word == "more" || word == "less";
  if (!before && !word.ends_with("est") && !word.ends_with("er")) return nullptr;
  const auto* found = before ? (at + 1 < words.size() ? gradable_of(words[at + 1]) : nullptr) : gradable_of(words[at]);
  return found != nullptr && !is_gradable_verb(*found) ? found : nullptr;
}

bool measures(const Gradable& gradable, std::string_view name_word) {
  return std::find(gradable.measures.begin(), gradable.measures.end(), name_word) != gradable.measures.end();
}

bool measures(const Gradable& gradable, const DomainColumn& column) {
  // "Daily rate" is a price, and "birth rate" is none.
  constexpr std::string_view spans[] = {"daily", "hourly", "nightly", "weekly", "monthly", "day", "hour", "night"};
  const auto has = [&column](std::string_view word) {
    return std::find(column.all_words.begin(), column.all_words.end(), word) != column.all_words.end();
  };
  if (gradable.measures.data() == std::data(of_price) && column.kind == DataKind::number && has("rate") &&
      std::any_of(std::begin(spans), std::end(spans), has))
    return true;
  return column.kind == DataKind::number && !column.is_id &&
         std::any_of(column.all_words.begin(), column.all_words.end(),
                     [&gradable](const std::string& word) { return measures(gradable, word); });
}

bool is_price(const DomainColumn& column) { return measures(*find_gradable("expensive"), column); }

ColumnId only_price_of(const Domain& domain, TableId table) {
  ColumnId price = nothing;
  for (auto id = domain.table(table).first_column; id < domain.table(table).last_column; ++id) {
    if (!is_price(domain.column(id))) continue;
    if (price != nothing) return nothing;
    price = id;
  }
  return price;
}

}  // namespace trustsql::semparse
