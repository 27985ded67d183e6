#include "semparse/question/question_cues.hpp"

#include <algorithm>
#include <string>

#include "semparse/question/extremes.hpp"
#include "semparse/question/gradable.hpp"
#include "semparse/words/word_list.hpp"

namespace trustsql::semparse {

namespace {

constexpr std::string_view average_words[] = {"average", "averages", "averaged", "mean", "avg"};

// In base forms.
constexpr std::string_view extreme_words[] = {
    "maximum",  "minimum", "max",    "min",     "most",     "least",    "fewest", "best",     "worst",     "top",
    "bottom",   "first",   "last",   "latest",  "earliest", "newest",   "recent", "recently", "extreme",   "leading",
    "majority", "peak",    "record", "lead",    "popular",  "common",   "main",   "favorite", "favourite", "final",
    "initial",  "only",    "ever",   "primary", "longest",  "youngest", "high",   "low",      "highly",    "up"};
constexpr std::string_view order_words_strict[] = {"sorted",        "ordered",    "alphabetical",  "alphabetically",
                                                   "ascending",     "descending", "lexicographic", "lexicographical",
                                                   "chronological", "sort"};
constexpr std::string_view descending_words[] = {"descending", "decreasing", "desc"};
constexpr std::string_view ascending_words[] = {"ascending", "increasing", "asc"};
constexpr std::string_view negation_strict[] = {"not", "never", "without", "except", "neither", "nor", "excluding"};
constexpr std::string_view negation_words[] = {
    "not",     "no",      "never",     "without",  "except",      "neither", "nor",    "none",    "excluding",
    "exclude", "besides", "other",     "nothing",  "any",         "cannot",  "lack",   "lacking", "missing",
    "unable",  "non",     "different", "outside",  "instead",     "only",    "but",    "rather",  "apart",
    "else",    "yet",     "all",       "every",    "exclusively", "out",     "absent", "zero",    "un",
    "unlike",  "another", "than",      "has",      "have",        "had",     "with",   "exist",   "contain",
    "null",    "empty",   "unknown",   "available"};
constexpr std::string_view sum_words[] = {
    "total",  "sum",    "summed",   "many",      "much", "overall", "combined", "altogether", "all",
    "number", "amount", "together", "aggregate", "add",  "count",   "totals",   "cumulative", "most",
    "least",  "entire", "whole",    "combine",   "each", "every",   "more",     "less"};
constexpr std::string_view count_words[] = {
    "many",    "number",     "numbers", "count", "counts",  "total", "amount",   "quantity", "frequency", "frequencies",
    "times",   "much",       "often",   "size",  "numer",   "sum",   "counting", "numbered", "totals",    "numbes",
    "popular", "popularity", "no",      "num",   "amounts", "any",   "exist",    "exists"};
constexpr std::string_view both_words[] = {"both",  "and",    "also",     "as",       "while", "but", "shared",
                                           "share", "common", "together", "with",     "same",  "or",  "who",
                                           "that",  "whose",  "well",     "addition", ",",     "all"};
constexpr std::string_view range_words[] = {"between", "from",    "range", "ranging", "within", "during",
                                            "in",      "through", "to",    "inside",  "since",  "until",
                                            "till",    "over",    "and",   "decade",  "century"};
constexpr std::string_view alternative_words[] = {"or", "either"};

// Words in -est that are no superlatives.
constexpr std::string_view plain_est[] = {
    "interest", "request", "west",    "forest",  "guest",    "rest",    "test",    "quest",     "nest",
    "arrest",   "invest",  "contest", "harvest", "protest",  "suggest", "midwest", "northwest", "southwest",
    "crest",    "vest",    "chest",   "pest",    "zest",     "honest",  "modest",  "digest",    "conquest",
    "manifest", "priest",  "bequest", "attest",  "detest",   "infest",  "ingest",  "jest",      "lest",
    "molest",   "tempest", "behest",  "everest", "budapest", "wildest"};

// Superlatives of any number.
constexpr std::string_view general_est[] = {"fewest",   "highest", "lowest", "largest", "smallest",
                                            "greatest", "biggest", "latest", "newest",  "earliest"};

constexpr std::string_view more_words[] = {"more",  "greater", "larger",    "higher",  "bigger",  "older",  "longer",
                                           "above", "over",    "exceeding", "exceeds", "heavier", "taller", "after"};
constexpr std::string_view less_words[] = {"less",    "fewer", "smaller", "lower",   "younger", "shorter",
                                           "cheaper", "below", "under",   "lighter", "before"};

// Whether the word belongs to "cheapest first", which is no extreme: one of the two.
bool ends_order(const Question& question, std::size_t at) {
  constexpr std::size_t reach = 3;
  if (is_order_superlative(question, at)) return true;
  if (question.words[at].lower != "first" && question.words[at].lower != "last") return false;
  for (auto i = at; i > 0 && at - i < reach; --i)
    if (is_order_superlative(question, i - 1)) return true;
  return false;
}

}  // namespace

bool is_superlative_word(const Question& question, std::size_t at) {
  const auto& word = question.words[at].lower;
  const bool after_at = at > 0 && question.words[at - 1].lower == "at";
  if (word == "most" || word == "least" || word == "fewest") return !after_at;
  return word.size() > 4 && word.ends_with("est") && !is_listed(plain_est, word);
}

bool is_extreme_word(const Question& question, std::size_t at) {
  const auto& word = question.words[at];
  return is_superlative_word(question, at) || is_listed(extreme_words, word.lower) ||
         is_listed(extreme_words, word.lemma());
}

bool is_more_word(std::string_view word) { return is_listed(more_words, word); }
bool is_less_word(std::string_view word) { return is_listed(less_words, word); }

bool is_particular_superlative(const Question& question, std::size_t at) {
  const auto& word = question.words[at];
  return !word.quoted && word.lower.ends_with("est") && is_superlative_word(question, at) &&
         !is_listed(general_est, word.lower);
}

bool is_operator_word(const Question& question, std::size_t at) {
  const auto& word = question.words[at];
  return is_listed(average_words, word.lower) || is_superlative_word(question, at) ||
         is_listed(extreme_words, word.lower) || is_listed(order_words_strict, word.lower) ||
         is_listed(descending_words, word.lower) || is_listed(ascending_words, word.lower) ||
         is_listed(negation_strict, word.lower) || is_listed(count_words, word.lower);
}

bool has_cue(const Question& question, AskedCue cue, bool strict) {
  const auto& words = question.words;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i].quoted) continue;
    const auto& word = words[i].lower;
    const auto is_one_of = [&](const auto& list) { return is_listed(list, word) || is_listed(list, words[i].lemma()); };
    bool found = false;
    switch (cue) {
      case AskedCue::average: found = is_listed(average_words, word); break;
      case AskedCue::extreme:
        found = is_superlative_word(question, i) ||
                (strict ? word == "maximum" || word == "minimum" : is_one_of(extreme_words));
        // "most of", "the rest at most"
        if (ends_order(question, i) || ((word == "most" || word == "least") && i > 0 && words[i - 1].lower == "at"))
          found = false;
        if (strict && word == "most" && i + 1 < words.size() && words[i + 1].lower == "of") found = false;
        break;
      case AskedCue::order:
        found = is_listed(order_words_strict, word);
        // "never ordered", "the orders that were sorted": what is said of things, not asked for.
        if (found && (word == "ordered" || word == "sorted" || word == "sort")) {
          const auto next = i + 1 < words.size() ? std::string_view(words[i + 1].lower) : std::string_view();
          const auto before = i > 0 ? std::string_view(words[i - 1].lower) : std::string_view();
          found = (next == "by" || next == "in" || next == "from" || is_listed(order_words_strict, next)) &&
                  before != "was" && before != "were" && before != "been" && before != "have" && before != "has";
        }
        break;
      case AskedCue::descending: found = is_listed(descending_words, word); break;
      case AskedCue::ascending: found = is_listed(ascending_words, word); break;
      case AskedCue::negation:
        found = strict ? is_listed(negation_strict, word) &&
                             !(word == "not" && i + 1 < words.size() && words[i + 1].lower == "only")
                       : is_one_of(negation_words);
        break;
      case AskedCue::other: found = is_one_of(negation_words); break;
      case AskedCue::both: found = strict ? word == "both" : is_one_of(both_words); break;
      case AskedCue::sum: found = is_one_of(sum_words); break;
      case AskedCue::count: found = is_one_of(count_words); break;
      case AskedCue::range: found = strict ? word == "between" : is_one_of(range_words); break;
      case AskedCue::alternative: found = is_listed(alternative_words, word); break;
    }
    if (found) return true;
  }
  return false;
}

// Numbers that are years behind "after" and "before".
constexpr double first_year = 1000;
constexpr double last_year = 2999;

namespace {

// Whether the words that stand for a number are a date: one that ends or begins with a year.
bool is_date(const Question& question, WordSpan number) {
  const auto is_year = [](const std::optional<double>& value) {
    return value && *value >= first_year && *value <= last_year;
  };
  return is_year(question.words[number.first].number) || is_year(question.words[number.last - 1].number);
}

}  // namespace

Bound bound_of(const Question& question, WordSpan number) {
  const auto& words = question.words;
  constexpr std::string_view currencies[] = {"$", "\u20ac", "\u00a3"};
  const auto first =
      number.first > 0 && is_listed(currencies, words[number.first - 1].lower) ? number.first - 1 : number.first;
  const auto before = [&](std::size_t distance) -> std::string_view {
    return first >= distance ? std::string_view(words[first - distance].lower) : std::string_view();
  };
  const auto after = [&](std::size_t distance) -> std::string_view {
    const auto at = number.last - 1 + distance;
    return at < words.size() ? std::string_view(words[at].lower) : std::string_view();
  };
  // "3 or more", but not "above 3 or below 1".
  const auto ends_there = [&] {
    const auto at = number.last + 2;
    return at >= words.size() || !(words[at].number || words[at].lower == "than");
  };
  const bool in_time = after(2) == "later" || after(2) == "after" || after(2) == "newer";
  if ((after(1) == "or" && in_time && ends_there()) || after(1) == "onwards" || after(1) == "onward")
    return Bound::at_least;
  if (after(1) == "or" && (after(2) == "earlier" || after(2) == "before") && ends_there()) return Bound::at_most;
  if (after(1) == "or" && is_listed(more_words, after(2)) && ends_there()) return Bound::at_least;
  if (after(1) == "or" && is_listed(less_words, after(2)) && ends_there()) return Bound::at_most;
  if (after(1) == "and" && (after(2) == "above" || after(2) == "over") && ends_there()) return Bound::at_least;
  if (after(1) == "and" && (after(2) == "below" || after(2) == "under") && ends_there()) return Bound::at_most;
  if (before(2) == "at" && before(1) == "least") return Bound::at_least;
  if (before(2) == "at" && before(1) == "most") return Bound::at_most;
  // "No more than 3" is at most 3; "greater than or equal to" says something else.
  const auto negated = [&](std::size_t distance) { return before(distance) == "no" || before(distance) == "not"; };
  if (before(1) == "than" && negated(3)) {
    if (is_listed(more_words, before(2))) return Bound::at_most;
    if (is_listed(less_words, before(2))) return Bound::at_least;
  }
  if (before(1) == "than" && !negated(3)) {
    if (is_listed(more_words, before(2))) return Bound::more;
    if (is_listed(less_words, before(2))) return Bound::less;
  }
  // "More expensive than 3", "cheaper than 3": by what the adjective measures.
  if (before(1) == "than" && first >= 2) {
    const auto adjective = first - 2;
    const bool paired = adjective > 0 && (before(3) == "more" || before(3) == "less");
    const auto* graded = graded_at(question, paired ? adjective - 1 : adjective);
    if (graded != nullptr && !negated(paired ? 4 : 3))
      return graded->greater == (before(3) != "less") ? Bound::more : Bound::less;
  }
  if ((before(1) == "above" || before(1) == "over" || before(1) == "exceeding") && !negated(2) && before(2) != "and")
    return Bound::more;
  if ((before(1) == "below" || before(1) == "under") && !negated(2) && before(2) != "and") return Bound::less;
  // "On or after 1 January 2024", "until May 2024".
  if (number.size() > 1 && is_date(question, number) && !negated(2)) {
    const bool on = before(2) == "or" && (before(3) == "on" || before(3) == "in");
    if (before(1) == "after") return on ? Bound::at_least : Bound::more;
    if (before(1) == "before") return on ? Bound::at_most : Bound::less;
    if (before(1) == "since") return Bound::at_least;
    if (before(1) == "until" || before(1) == "till") return Bound::at_most;
  }
  const auto& value = words[number.first].number;
  if (number.size() == 1 && value && *value >= first_year && *value <= last_year && !negated(2) && before(2) != "and") {
    const bool on = before(2) == "or" && (before(3) == "on" || before(3) == "in");
    if (before(1) == "after") return on ? Bound::at_least : Bound::more;
    if (before(1) == "before") return on ? Bound::at_most : Bound::less;
    if (before(1) == "since") return Bound::at_least;
    if (before(1) == "by" || before(1) == "until") return Bound::at_most;
  }
  return Bound::none;
}

Bound denied(Bound bound) {
  switch (bound) {
    case Bound::none: break;
    case Bound::at_least: return Bound::less;
    case Bound::at_most: return Bound::more;
    case Bound::more: return Bound::at_most;
    case Bound::less: return Bound::at_least;
  }
  return Bound::none;
}

bool is_denied_number(const Question& question, WordSpan number) {
  constexpr std::string_view ends[] = {"and", "or", "but", ",", "that", "which", "who", "whose", "only", "if", ";"};
  constexpr std::size_t reach = 8;
  const auto& words = question.words;
  for (auto i = number.first; i > 0 && number.first - i < reach; --i) {
    const auto& word = words[i - 1];
    if (word.quoted || is_listed(ends, word.lower)) return false;
    const bool denies =
        word.lower == "not" ||
        (word.lower == "no" && i < words.size() && !is_more_word(words[i].lower) && !is_less_word(words[i].lower)) ||
        word.lower == "never" || word.lower == "without";
    if (!denies) continue;
    // "Not more than 3", which bound_of() turns round itself, and "not only".
    const auto next = i < words.size() ? std::string_view(words[i].lower) : std::string_view();
    const auto behind = i + 1 < words.size() ? std::string_view(words[i + 1].lower) : std::string_view();
    return next != "only" && !(behind == "than" && (is_more_word(next) || is_less_word(next)));
  }
  return false;
}

}  // namespace trustsql::semparse
