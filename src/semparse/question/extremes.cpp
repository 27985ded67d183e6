#include "semparse/question/extremes.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "semparse/question/gradable.hpp"
#include "semparse/question/question_cues.hpp"
#include "semparse/words/word_list.hpp"

namespace trustsql::semparse {

namespace {

// Years, where a column of numbers is named so.
constexpr double first_calendar_year = 1000;
constexpr double last_calendar_year = 2999;

// Years without the word, where a column is named after what happened in them: "founded", "built".
constexpr double first_modern_year = 1500;
constexpr double last_modern_year = 2100;
constexpr std::string_view event_words[] = {
    "found",  "founded", "build",   "built",  "open",     "opened",  "establish", "established", "form",
    "formed", "start",   "started", "launch", "launched", "release", "released",  "publish",     "published",
    "since",  "born",    "birth",   "join",   "joined",   "hire",    "hired",     "make",        "made"};
constexpr std::string_view time_superlatives[] = {"oldest", "eldest", "youngest", "newest", "earliest", "latest"};

constexpr std::string_view least_words[] = {"cheapest", "fewest",    "least",    "lightest",  "littlest",
                                            "lowest",   "narrowest", "shortest", "slightest", "smallest"};
constexpr std::string_view greatest_words[] = {"biggest", "deepest", "greatest", "heaviest", "highest", "largest",
                                               "longest", "most",    "richest",  "tallest",  "widest"};
// The first in a ranking has the least number.
constexpr std::string_view ranking_words[] = {"rank", "ranking", "position", "place", "standing", "grade", "level"};

bool is_named_with(const DomainColumn& column, std::string_view word) {
  return std::find(column.all_words.begin(), column.all_words.end(), word) != column.all_words.end();
}

bool ends_question(const Question& question, std::size_t at) {
  if (at >= question.words.size()) return true;
  const auto& word = question.words[at].lower;
  return word == "." || word == "?" || word == "!" || word == ",";
}

bool is_recent(const Question& question, std::size_t at) {
  const auto& word = question.words[at].lower;
  return (word == "recent" || word == "recently") && at > 0 && question.words[at - 1].lower == "most";
}

void add_extreme(const Term& term, bool least, std::vector<TreeExtreme>& extremes) {
  if (term.column != nothing) extremes.push_back({term.column, least ? Extreme::least : Extreme::greatest});
}

void add_aggregates(const Block& block, std::vector<TreeExtreme>& extremes) {
  for (const auto& term : block.select)
    if (term.aggregate == Aggregate::min || term.aggregate == Aggregate::max)
      add_extreme(term, term.aggregate == Aggregate::min, extremes);
}

}  // namespace

bool is_point_in_time(const DomainColumn& column) {
  if (column.kind == DataKind::date) return true;
  if (column.kind != DataKind::number || !column.min || !column.max) return false;
  const bool is_year =
      is_named_with(column, "year") && *column.min >= first_calendar_year && *column.max <= last_calendar_year;
  const auto is_event = [&column](std::string_view word) { return is_named_with(column, word); };
  return is_year || (*column.min >= first_modern_year && *column.max <= last_modern_year &&
                     std::any_of(std::begin(event_words), std::end(event_words), is_event));
}

bool asks_for_time(const Question& question, std::size_t at) {
  return is_listed(time_superlatives, question.words[at].lower) || is_recent(question, at);
}

Extreme asked_extreme(const Question& question, std::size_t at, const DomainColumn& column) {
  const auto& word = question.words[at].lower;
  const bool is_time = is_point_in_time(column);
  const bool is_age = !is_time && column.kind == DataKind::number && is_named_with(column, "age");
  if (word == "oldest" || word == "eldest")
    return is_time ? Extreme::least : is_age ? Extreme::greatest : Extreme::unknown;
  if (word == "youngest" || word == "newest")
    return is_time ? Extreme::greatest : is_age ? Extreme::least : Extreme::unknown;
  if (word == "earliest") return is_time ? Extreme::least : Extreme::unknown;
  if (word == "latest" || is_recent(question, at)) return is_time ? Extreme::greatest : Extreme::unknown;
  if (at + 1 < question.words.size() && is_recent(question, at + 1)) return Extreme::unknown;
  if (std::any_of(std::begin(ranking_words), std::end(ranking_words),
                  [&column](std::string_view rank) { return is_named_with(column, rank); }))
    return Extreme::unknown;
  // "The most expensive", "the least affordable"; the fastest takes the least time.
  if (const auto* graded = graded_at(question, at); graded != nullptr && measures(*graded, column)) {
    const bool takes_time = is_named_with(column, "time") || is_named_with(column, "duration");
    const bool of_speed = graded->word == "fast" || graded->word == "quick" || graded->word == "slow";
    const bool greater = graded->greater != (of_speed && takes_time);
    return greater == (word != "least") ? Extreme::greatest : Extreme::least;
  }
  if (is_listed(least_words, word)) return Extreme::least;
  return is_listed(greatest_words, word) ? Extreme::greatest : Extreme::unknown;
}

bool is_order_superlative(const Question& question, std::size_t at) {
  constexpr std::size_t reach = 4;  // "the most expensive products first"
  if (question.words[at].quoted || !(is_superlative_word(question, at) || is_recent(question, at))) return false;
  for (auto i = at + 1; i < std::min(question.words.size(), at + reach); ++i) {
    const auto& word = question.words[i];
    if (word.quoted || word.number || is_function_word(word) || word.lower.ends_with("ed")) return false;
    if (word.lower == "first" || word.lower == "last") return ends_question(question, i + 1);
  }
  return false;
}

std::vector<std::size_t> superlatives_of(const Question& question) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < question.words.size(); ++i) {
    if (question.words[i].quoted || !(is_superlative_word(question, i) || is_recent(question, i))) continue;
    const bool before_recent = i + 1 < question.words.size() && is_recent(question, i + 1);
    if (!before_recent && !is_order_superlative(question, i)) found.push_back(i);
  }
  return found;
}

std::vector<TreeExtreme> extremes_of(const Block& block) {
  std::vector<TreeExtreme> extremes;
  add_aggregates(block, extremes);
  if (block.limit)
    for (const auto& order : block.order)
      if (order.term.aggregate == Aggregate::none) add_extreme(order.term, !order.descending, extremes);
  for (const auto& condition : block.where)
    if (condition.comparison == Comparison::equal)
      for (const auto& inner : condition.subquery) add_aggregates(inner, extremes);
  return extremes;
}

}  // namespace trustsql::semparse
