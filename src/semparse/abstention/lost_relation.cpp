#include "semparse/abstention/lost_relation.hpp"

#include <algorithm>
#include <string_view>

#include "semparse/words/word_list.hpp"

namespace trustsql::semparse {

namespace {

constexpr std::string_view determiners_of_relation[] = {"the", "a", "an", "their", "his", "her", "its"};
// In base forms: they speak of the row itself.
constexpr std::string_view same_row_words[] = {"detail", "information", "info",  "record", "data", "row", "entry",
                                               "belong", "correspond",  "equal", "refer",  "call", "case"};
constexpr std::string_view relating_words[] = {"of", "to", "by", "under", "for"};

class RelationFinder {
 public:
  RelationFinder(const QuestionView& view, const Candidate& candidate, const Explanation& explanation)
      : view_(view), candidate_(candidate), explanation_(explanation) {}

  std::optional<std::size_t> find() const {
    if (const auto word = rows_like()) return word;
    if (const auto word = relation_of_relation()) return word;
    const auto asked = asked_table();
    if (asked == nothing) return std::nullopt;
    for (std::size_t i = 0; i < candidate_.draft.uses.size(); ++i) {
      const auto& literal = view_.literals()[i];
      const auto column = candidate_.draft.literal_columns[i];
      if (candidate_.draft.uses[i] != LiteralUse::where || literal.value == nullptr || column == nothing) continue;
      if (view_.domain().column(column).table != asked || !view_.domain().is_display(column)) continue;
      if (const auto word = rows_of(asked, literal.span)) return word;
      if (const auto word = relation_before(literal.span.first)) return word;
      if (const auto word = relation_behind(literal.span.last)) return word;
    }
    return std::nullopt;
  }

 private:
  std::string_view at(std::size_t i) const {
    return i < view_.question().words.size() ? view_.question().words[i].lower : std::string_view();
  }

  // The table whose rows the query returns or counts.
  TableId asked_table() const {
    for (const auto& term : candidate_.tree.block.select) {
      if (term.column != nothing) return view_.domain().column(term.column).table;
      if (term.table != nothing) return term.table;
    }
    return nothing;
  }

  bool is_literal(std::size_t i) const {
    return std::any_of(view_.literals().begin(), view_.literals().end(),
                       [i](const Literal& literal) { return literal.span.first <= i && i < literal.span.last; });
  }

  // A word of content that nothing in the query stands for, other than those that mostly say nothing: "details".
  bool is_lost(std::size_t i) const {
    constexpr float mostly = 0.5F;
    const auto& word = view_.question().words[i];
    if (std::any_of(word.lemmas.begin(), word.lemmas.end(),
                    [](const std::string& lemma) { return is_listed(same_row_words, lemma); }))
      return false;
    return !explanation_.explained[i] && !is_function_word(word) && !word.number && !is_literal(i) &&
           is_word_character(word.text.front()) && view_.vocabulary().idle(word.lower) < mostly;
  }

  // "The employees of Maura Keane", "Maura Keane's employees": rows that belong to one of them, which is none of them.
  std::optional<std::size_t> rows_of(TableId asked, WordSpan value) const {
    const auto& mentions = view_.linking().tables[static_cast<std::size_t>(asked)];
    auto first = value.first;
    while (first > 0 && is_literal(first - 1)) --first;
    auto last = value.last;
    while (is_literal(last)) ++last;
    for (const auto& mention : mentions) {
      if (!mention.spelled_out()) continue;
      if (at(first - 1) == "of" && first > 0 && mention.span.last + 1 == first && is_plural(mention.span.last - 1))
        return mention.span.first;
      if ((at(last) == "'s" || at(last) == "'") && mention.span.first == last + 1) return mention.span.first;
    }
    return std::nullopt;
  }

  // "Players from Marco Conti's team": the rows that share something with one of them, which is no condition on that
  // one.
  std::optional<std::size_t> rows_like() const {
    constexpr std::string_view sharing[] = {"from", "in", "of", "with", "on", "at", "by"};
    for (std::size_t i = 0; i < candidate_.draft.uses.size(); ++i) {
      const auto& literal = view_.literals()[i];
      const auto column = candidate_.draft.literal_columns[i];
      if (candidate_.draft.uses[i] != LiteralUse::where || literal.value == nullptr || column == nothing ||
          !view_.domain().is_display(column))
        continue;
      auto first = literal.span.first;
      while (first > 0 && is_literal(first - 1)) --first;
      auto last = literal.span.last;
      while (is_literal(last)) ++last;
      if (first < 2 || (at(last) != "'s" && at(last) != "'") || !is_listed(sharing, at(first - 1))) continue;
      for (const auto& mention : view_.linking().tables[static_cast<std::size_t>(view_.domain().column(column).table)])
        if (mention.span.last + 1 == first && mention.spelled_out() && is_plural(mention.span.last - 1))
          return mention.span.first;
    }
    return std::nullopt;
  }

  // "The manager of Ada Moe's manager", "the mother of the mother of Rex": two steps, where a reading takes one.
  std::optional<std::size_t> relation_of_relation() const {
    const auto& words = view_.question().words;
    const auto is_link = [&](std::size_t i) { return at(i) == "of" || at(i) == "'s"; };
    for (std::size_t first = 0; first < words.size(); ++first) {
      if (is_function_word(words[first]) || is_literal(first) || words[first].quoted) continue;
      bool linked = false;
      bool of_one = first > 1 && at(first - 1) == "'s" && is_literal(first - 2);
      auto next = first + 1;
      for (; next < words.size() && (is_link(next) || is_literal(next) || is_listed(determiners_of_relation, at(next)));
           ++next) {
        linked |= is_link(next);
        of_one |= is_literal(next);
      }
      of_one |= at(next + 1) == "of" && is_literal(next + 2);
      if (linked && of_one && next < words.size() && words[next].lemma() == words[first].lemma()) return next;
    }
    return std::nullopt;
  }

  bool is_plural(std::size_t i) const {
    const auto& word = view_.question().words[i];
    return word.lower != word.lemma();
  }

  // "The boss of", "managed by" in front of a value, which may be a first and a last name.
  std::optional<std::size_t> relation_before(std::size_t value) const {
    auto i = value;
    while (i > 0 && (is_literal(i - 1) || is_listed(determiners_of_relation, at(i - 1)))) --i;
    if (i < 2 || !is_listed(relating_words, at(i - 1))) return std::nullopt;
    return is_lost(i - 2) ? std::optional(i - 2) : std::nullopt;
  }

  // "'s boss" behind it.
  std::optional<std::size_t> relation_behind(std::size_t value) const {
    auto i = value;
    while (is_literal(i)) ++i;
    if (at(i) != "'s" && at(i) != "'") return std::nullopt;
    ++i;
    return i < view_.question().words.size() && is_lost(i) ? std::optional(i) : std::nullopt;
  }

  const QuestionView& view_;
  const Candidate& candidate_;
  const Explanation& explanation_;
};

}  // namespace

std::optional<std::size_t> lost_relation(const QuestionView& view, const Candidate& candidate,
                                         const Explanation& explanation) {
  return RelationFinder(view, candidate, explanation).find();
}

}  // namespace trustsql::semparse
