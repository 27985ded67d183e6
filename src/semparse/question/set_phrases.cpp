#include "semparse/question/set_phrases.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "semparse/database/people.hpp"
#include "semparse/question/gradable.hpp"
#include "semparse/question/sentence.hpp"
#include "semparse/question/word_match.hpp"
#include "semparse/tree/description.hpp"
#include "semparse/words/word_list.hpp"

namespace trustsql::semparse {

namespace {

class SetPhrases : private Sentence {
 public:
  using Sentence::Sentence;

  std::vector<Edit> find() {
    drop_greeting();
    for (std::size_t i = 0; i < end_; ++i) {
      if (words_[i].quoted || view_.is_name(i)) continue;
      if (at(i) == "our") replace({i, i + 1}, "the");
      if (at(i) == "either") drop_either(i);
      if (at(i) == "without") name_without(i);
      if (at(i) == "through" && at(i + 1) == "each") replace({i, i + 1}, "for");
      count_on(i);
      say_passive(i);
    }
    name_payments();
    drop_owning();
    drop_whole();
    return in_order(std::move(edits_));
  }

 private:
  void replace(WordSpan span, std::string text) { edits_.push_back({span, std::move(text)}); }

  // Whether word `i` is one that says nothing of the database.
  bool is_open(std::size_t i) const {
    return i < end_ && !words_[i].quoted && (view_.kind(i) == Symbol::word || view_.kind(i) == Symbol::unknown);
  }

  // "Hi, ...", "Good morning! ..."
  void drop_greeting() {
    constexpr std::string_view greetings[] = {"hi", "hello", "hey"};
    constexpr std::string_view times[] = {"morning", "afternoon", "evening"};
    constexpr std::string_view marks[] = {",", "!", ".", ":", "-"};
    std::size_t behind = 0;
    if (is_listed(greetings, at(0))) behind = at(1) == "there" ? 2 : 1;
    if (at(0) == "good" && is_listed(times, at(1))) behind = 2;
    if (behind == 0 || !is_listed(marks, at(behind)) || behind + 1 >= end_) return;
    replace({0, behind + 1}, "");
  }

  // "In either Leeds or York".
  void drop_either(std::size_t i) {
    constexpr std::size_t longest = 8;
    for (auto j = i + 2; j < end_ && j <= i + longest; ++j)
      if (at(j) == "or") return replace({i, i + 1}, "");
  }

  // "Without a class", "without a single class", "without any classes".
  void name_without(std::size_t i) {
    constexpr std::string_view determiners[] = {"a", "an", "any"};
    auto first = i + 1;
    if (!is_listed(determiners, at(first))) return;
    ++first;
    if (at(first) == "single") ++first;
    TableId table = nothing;
    const auto* mention = table_at(first, table);
    if (mention == nullptr || mention->span.size() != 1) return;
    replace({i + 1, first + 1}, plural_of(noun_of(view_.domain(), table)));
  }

  // "How many sessions got cancelled", "which filter gets used": were, is.
  void say_passive(std::size_t i) {
    constexpr std::string_view forms[] = {"got", "get", "gets"};
    if (i == 0 || i + 1 >= end_ || !is_listed(forms, at(i)) || !view_.is_name(i - 1) ||
        !is_past_participle(words_[i + 1]))
      return;
    replace({i, i + 1}, at(i) == "got" ? "were" : at(i) == "get" ? "are" : "is");
  }

  // "How much money has been donated in total": the total amount of the donations, which have only one.
  void name_payments() {
    constexpr std::string_view fillers[] = {"money", "have", "has", "did", "do", "we", "they", "been", "was", "is"};
    constexpr std::string_view sums[] = {"total", "all"};
    constexpr std::string_view links[] = {"in", "during", "since", "before", "after", "between"};
    if (at(0) != "how" || at(1) != "much") return;
    std::size_t verb = 2;
    while (verb < end_ && is_listed(fillers, at(verb))) ++verb;
    if (verb >= end_ || !at(verb).ends_with("ed")) return;
    const auto& domain = view_.domain();
    TableId payments = nothing;
    for (TableId id = 0; id < static_cast<TableId>(domain.tables().size()); ++id) {
      const auto& words = domain.table(id).words;
      // "Donors" donate; they are not what was donated.
      if (words.empty() || !is_form_of_verb(words.back(), words_[verb].lemma()) || are_people(domain, id)) continue;
      if (payments != nothing) return;
      payments = id;
    }
    const auto price = payments == nothing ? nothing : only_price_of(domain, payments);
    if (price == nothing) return;
    auto behind = verb + 1;
    if (at(behind) == "altogether") ++behind;
    if (at(behind) == "in" && is_listed(sums, at(behind + 1))) behind += 2;
    if (behind < end_ && !is_listed(links, at(behind))) return;
    replace({0, behind}, "What is the total " + name_in_words(domain.column(price)) + " of the " +
                             plural_of(noun_of(domain, payments)));
  }

  // "That we have", "we've got" at the end, of things that are asked for.
  void drop_owning() {
    constexpr std::string_view owning[] = {"have", "got", "own"};
    constexpr std::string_view auxiliaries[] = {"do", "did", "does", "have", "can", "should", "would"};
    auto first = end_;
    while (first > 0 && is_listed(owning, at(first - 1)) && !words_[first - 1].quoted) --first;
    if (first == end_ || first < 2 || at(first - 1) != "we") return;
    --first;
    if (at(first - 1) == "that" || at(first - 1) == "which") --first;
    if (first < 2 || is_listed(auxiliaries, at(first - 1)) || !view_.is_name(first - 1)) return;
    replace({first, end_}, "");
  }

  // "Players in the league": all, where the whole that they belong to has no name in the database.
  void drop_whole() {
    constexpr std::string_view wholes[] = {"league",       "company",     "firm",     "organisation",
                                           "organization", "festival",    "network",  "championship",
                                           "tournament",   "competition", "programme"};
    constexpr std::string_view places[] = {"in", "at", "of"};
    constexpr std::string_view copulas_before[] = {"is", "are", "was", "were", "been", "there"};
    if (end_ < 4 || !is_listed(wholes, at(end_ - 1)) || !is_open(end_ - 1)) return;
    if (at(end_ - 2) != "the" && at(end_ - 2) != "our") return;
    if (!is_listed(places, at(end_ - 3)) || is_listed(copulas_before, at(end_ - 4)) || !view_.is_name(end_ - 4)) return;
    replace({end_ - 3, end_}, "");
  }

  // "On the second floor": on floor 2, where floors have numbers.
  void count_on(std::size_t i) {
    constexpr std::pair<std::string_view, int> ordinals[] = {
        {"first", 1}, {"second", 2}, {"third", 3}, {"fourth", 4}, {"fifth", 5},  {"sixth", 6},
        {"1st", 1},   {"2nd", 2},    {"3rd", 3},   {"4th", 4},    {"5th", 5},    {"6th", 6},
        {"7th", 7},   {"8th", 8},    {"9th", 9},   {"10th", 10},  {"seventh", 7}};
    if (at(i) != "the" || !is_open(i + 1)) return;
    const auto* const ordinal = std::find_if(std::begin(ordinals), std::end(ordinals),
                                             [this, i](const auto& each) { return each.first == at(i + 1); });
    if (ordinal == std::end(ordinals)) return;
    for (ColumnId id = 0; id < static_cast<ColumnId>(view_.domain().columns().size()); ++id) {
      const auto& column = view_.domain().column(id);
      if (column.kind != DataKind::number || column.is_id || !column.shared || !column.min || !column.max) continue;
      if (*column.min > ordinal->second || *column.max < ordinal->second || *column.max > 200) continue;
      for (const auto& mention : view_.linking().columns[static_cast<std::size_t>(id)]) {
        if (mention.span != WordSpan{i + 2, i + 3} || !mention.spelled_out()) continue;
        return replace({i, i + 3}, words_[i + 2].text + " " + std::to_string(ordinal->second));
      }
    }
  }

  std::vector<Edit> edits_{};
};

}  // namespace

std::vector<Edit> set_phrase_edits(const QuestionView& view) { return SetPhrases(view).find(); }

}  // namespace trustsql::semparse
