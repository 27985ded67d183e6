#include "semparse/abstention/lost_restriction.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

#include "link/schema_words.hpp"
#include "semparse/question/cues.hpp"
#include "semparse/question/extremes.hpp"
#include "semparse/question/gradable.hpp"
#include "semparse/question/question_cues.hpp"
#include "semparse/words/word_list.hpp"

namespace trustsql::semparse {

namespace {

// Words that exclude no row where they stand in front of what rows are called, or behind that and "are": of number, of
// being there, of naming. Requests ("show") are in a list of their own.
constexpr std::string_view harmless[] = {
    "all",           "whole",     "entire",   "overall", "different", "distinct",   "unique",     "separate",
    "multiple",      "many",      "several",  "total",   "number",    "count",      "sum",        "average",
    "maximum",       "minimum",   "various",  "certain", "specific",  "particular", "individual", "respective",
    "possible",      "actual",    "there",    "here",    "existing",  "present",    "found",      "known",
    "given",         "listed",    "recorded", "stored",  "shown",     "included",   "involved",   "contained",
    "mentioned",     "following", "own",      "related", "called",    "named",      "associated", "name",
    "corresponding", "names",     "kind",     "kinds",   "type",      "types",      "set",        "group",
    "have",          "has",       "display"};
// Not adjectives, though they may stand there.
constexpr std::string_view others[] = {"sort", "order", "rank", "arrange", "using", "having", "across", "against"};
constexpr std::string_view relative_pronouns[] = {"that", "which", "who"};
// Words that say how often or when something happened, wherever they stand.
constexpr std::string_view occasions[] = {"once",      "twice",    "thrice",  "recently", "lately", "today",
                                          "yesterday", "tomorrow", "tonight", "nowadays", "ago"};
constexpr std::string_view relative_times[] = {"this", "last", "next", "past", "previous", "current", "coming"};
constexpr std::string_view periods[] = {"year",    "month",  "week",   "quarter", "day",   "night",
                                        "weekend", "hour",   "years",  "months",  "weeks", "days",
                                        "hours",   "season", "decade", "semester"};
constexpr std::string_view ends_of_time[] = {"last", "latest", "recent", "final"};
constexpr std::string_view units[] = {"unit", "piece", "item", "capita", "head"};
// In front of an amount: another amount; behind one: a calculation.
constexpr std::string_view qualifiers[] = {"gross",    "net",      "monthly",   "yearly",    "annual",
                                           "weekly",   "daily",    "hourly",    "quarterly", "half",
                                           "relative", "expected", "estimated", "predicted"};
constexpr std::string_view calculations[] = {"increase",   "decrease", "change", "growth",   "difference", "ratio",
                                             "percentage", "percent",  "median", "variance", "deviation",  "trend"};
constexpr std::string_view forms_of_be[] = {"is", "are", "was", "were", "be", "been", "being"};
constexpr std::string_view adverbs[] = {"currently", "now", "still", "already", "also", "really", "actually"};

class RestrictionFinder {
 public:
  RestrictionFinder(const QuestionView& view, const Explanation& explanation)
      : view_(view), explanation_(explanation), cue_(view.question().words.size(), false) {
    for (const auto& mention : find_cues(view.question()))
      for (auto i = mention.span.first; i < mention.span.last; ++i) cue_[i] = true;
  }

  std::optional<std::size_t> find() const {
    const auto& words = view_.question().words;
    for (std::size_t i = 0; i < words.size(); ++i) {
      if (says_occasion(i) || is_letter(i) || is_group_of_nothing(i)) return i;
      const bool calculates = is_listed(qualifiers, words[i].lower) || is_listed(calculations, words[i].lower);
      if (calculates && !explanation_.explained[i] && !words[i].quoted) return i;
      if (is_listed(ends_of_time, words[i].lower) && !explanation_.explained[i] && begins_table(i + 1)) return i;
      if (words[i].lower == "my" && begins_table(i + 1)) return i;
      if (has_left(i)) return i;
      if (words[i].lower == "still" && !words[i].quoted && !is_still_said(i)) return i;
      if (is_out_of_something(i)) return i;
      if (is_bare_gradable(i) && begins_table(i + 1)) return i;
      if (!is_lost(i) || is_no_adjective(i)) continue;
      if (begins_table(i + 1) || (ends_clause(i + 1) && is_said_of_rows(i))) return i;
    }
    return std::nullopt;
  }

 private:
  // A word that the vocabulary knows and nothing in the query stands for.
  bool is_lost(std::size_t i) const {
    const auto& word = view_.question().words[i];
    const bool is_table = view_.kind(i) == Symbol::table || view_.kind(i) == Symbol::number;
    if (explanation_.explained[i] || is_table || view_.kind(i) == Symbol::unknown || word.quoted || word.number ||
        is_function_word(word) || !is_word_character(word.text.front()) || is_listed(harmless, word.lower))
      return false;
    return is_bare_adjective(i) ||
           !(cue_[i] || is_extreme_word(view_.question(), i) || is_order_superlative(view_.question(), i));
  }

  bool is_explained_literal(std::size_t i) const {
    return explanation_.explained[i] &&
           std::any_of(view_.literals().begin(), view_.literals().end(),
                       [i](const Literal& literal) { return literal.span.first <= i && i < literal.span.last; });
  }

  // "Ordered more than once", "hired recently", "this year": no literal of the reading, and no name.
  bool says_occasion(std::size_t i) const {
    const auto& words = view_.question().words;
    if (words[i].quoted || is_explained_literal(i) || view_.kind(i) == Symbol::column || view_.kind(i) == Symbol::table)
      return false;
    if (is_listed(occasions, words[i].lower)) return i == 0 || !is_extreme_word(view_.question(), i - 1);
    if (!is_listed(relative_times, words[i].lower) || i + 1 >= words.size()) return false;
    const auto behind = words[i + 1].number && i + 2 < words.size() ? i + 2 : i + 1;
    return is_listed(periods, words[behind].lower) && view_.kind(behind) != Symbol::column;
  }

  // "Students with an A": a capital letter by itself is a name.
  bool is_letter(std::size_t i) const {
    const auto& words = view_.question().words;
    if (i == 0 || words[i].quoted || words[i].text.size() != 1 || words[i].text.front() < 'A' ||
        words[i].text.front() > 'Z' || words[i].text.front() == 'I')
      return false;
    constexpr std::string_view before[] = {"a", "an", "grade", "grades", "type", "class", "category", "letter"};
    return is_listed(before, words[i - 1].lower) && !is_explained_literal(i);
  }

  // "By far", "by age": a group or an order of something that the reading has not.
  bool is_group_of_nothing(std::size_t i) const {
    const auto& words = view_.question().words;
    return i > 0 && (words[i - 1].lower == "by" || words[i - 1].lower == "per") && is_lost(i) &&
           !is_listed(periods, words[i].lower) && !is_listed(units, words[i].lower) && !words[i].lower.ends_with("ing");
  }

  // "Which trainees have left?", unless a status or a date says who has.
  bool has_left(std::size_t i) const {
    constexpr std::string_view before[] = {"have", "has", "had", "are", "is"};
    constexpr std::string_view names[] = {"left", "leave", "leaving"};
    const auto& words = view_.question().words;
    if (i == 0 || words[i].lower != "left" || words[i].quoted || !is_listed(before, words[i - 1].lower)) return false;
    return !is_explained_literal(i) &&
           std::none_of(explanation_.uses.begin(), explanation_.uses.end(), [&](const Explanation::Use& use) {
             if (use.column == nothing) return false;
             const auto& column = view_.domain().column(use.column).all_words;
             return std::any_of(column.begin(), column.end(),
                                [&names](const std::string& word) { return is_listed(names, word); });
           });
  }

  // "Still running", of a status, and not "still with us".
  bool is_still_said(std::size_t i) const {
    const auto& words = view_.question().words;
    if (explanation_.explained[i]) return true;
    auto next = i + 1;
    while (next < words.size() && is_function_word(words[next])) ++next;
    return next < words.size() && explanation_.explained[next];
  }

  // "Out of stock", and not "out of all drugs" or "3 out of 5".
  bool is_out_of_something(std::size_t i) const {
    constexpr std::string_view behind[] = {"all", "the", "those", "these", "our", "any"};
    const auto& words = view_.question().words;
    return words[i].lower == "out" && !words[i].quoted && !explanation_.explained[i] && i + 2 < words.size() &&
           words[i + 1].lower == "of" && !words[i + 2].number && !is_listed(behind, words[i + 2].lower);
  }

  // "Cheap dishes": an adjective of a measure that compares with nothing.
  bool is_bare_gradable(std::size_t i) const {
    const auto& words = view_.question().words;
    const auto& word = words[i];
    if (word.quoted || is_explained_literal(i) || gradable_of(word) == nullptr || word.lower.ends_with("est") ||
        word.lower.ends_with("er") || is_extreme_word(view_.question(), i))
      return false;
    constexpr std::string_view grading[] = {"more", "less", "most", "least", "how"};
    return i == 0 || !is_listed(grading, words[i - 1].lower);
  }

  // "Popular", which asks for an extreme only behind "most" and "least".
  bool is_bare_adjective(std::size_t i) const {
    constexpr std::string_view adjectives[] = {"popular", "common", "frequent", "young", "recent", "rare"};
    const auto& words = view_.question().words;
    return is_listed(adjectives, words[i].lower) && (i == 0 || !is_extreme_word(view_.question(), i - 1));
  }

  bool begins_table(std::size_t i) const {
    return std::any_of(explanation_.tables.begin(), explanation_.tables.end(), [&](TableId table) {
      const auto& mentions = view_.linking().tables[static_cast<std::size_t>(table)];
      return std::any_of(mentions.begin(), mentions.end(),
                         [i](const Mention& mention) { return mention.span.first == i && mention.spelled_out(); });
    });
  }

  // The end of the question, or of what stands before a comma. "Used by a document" is said by a join.
  bool ends_clause(std::size_t i) const {
    const auto& words = view_.question().words;
    return i >= words.size() || !is_word_character(words[i].text.front());
  }

  // "The most frequently used", "sort", "that use": no adjective of its own.
  bool is_no_adjective(std::size_t i) const {
    const auto& words = view_.question().words;
    if (is_listed(others, words[i].lower) || link::is_request_word(words[i].lower)) return true;
    return i > 0 && (is_listed(relative_pronouns, words[i - 1].lower) || words[i - 1].lower.ends_with("ly") ||
                     is_extreme_word(view_.question(), i - 1));
  }

  // "Trucks that are not used", "trucks are in use": behind a form of "be" that follows what names rows.
  bool is_said_of_rows(std::size_t i) const {
    const auto& words = view_.question().words;
    const auto is_on_the_way = [&](std::size_t at) {
      return words[at].lower == "in" || words[at].lower == "not" || is_listed(adverbs, words[at].lower);
    };
    while (i > 0 && is_on_the_way(i - 1)) --i;
    if (i == 0 || !is_listed(forms_of_be, words[i - 1].lower)) return false;
    return i >= 2 && (view_.kind(i - 2) == Symbol::table || is_listed(relative_pronouns, words[i - 2].lower));
  }

  const QuestionView& view_;
  const Explanation& explanation_;
  std::vector<bool> cue_;
};

}  // namespace

std::optional<std::size_t> lost_restriction(const QuestionView& view, const Explanation& explanation) {
  return RestrictionFinder(view, explanation).find();
}

}  // namespace trustsql::semparse
