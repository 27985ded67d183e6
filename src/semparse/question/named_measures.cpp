#include "semparse/question/named_measures.hpp"

#include <algorithm>
#include <string>
#include <string_view>

#include "semparse/database/people.hpp"
#include "semparse/question/asked_rows.hpp"
#include "semparse/question/extremes.hpp"
#include "semparse/question/gradable.hpp"
#include "semparse/question/graded_columns.hpp"
#include "semparse/question/question_cues.hpp"
#include "semparse/question/sentence.hpp"
#include "semparse/tree/description.hpp"
#include "semparse/words/word_list.hpp"

namespace trustsql::semparse {

namespace {

class MeasureNaming : private Sentence {
 public:
  using Sentence::Sentence;

  std::vector<Edit> find() {
    if (name_event() || name_spending() || name_cost()) return std::move(edits_);
    for (std::size_t i = 0; i < end_;) {
      const auto count = edits_.size();
      if (!words_[i].quoted && (name_superlative(i) || name_amount(i) || name_average(i) || name_undone(i) ||
                                name_kind(i) || name_years(i))) {
        i = edits_[count].span.last;
      } else {
        ++i;
      }
    }
    return std::move(edits_);
  }

 private:
  bool is_named_elsewhere(ColumnId id, WordSpan here) const {
    return std::any_of(view_.linking().columns[static_cast<std::size_t>(id)].begin(),
                       view_.linking().columns[static_cast<std::size_t>(id)].end(),
                       [here](const Mention& mention) { return !mention.span.overlaps(here); });
  }

  std::string name_of(ColumnId id) const { return short_name_in_words(view_.domain().column(id)); }

  // The only column that the superlative at `at` may be about, of `table`; "highest" or "lowest" with its name. Empty
  // if there is none, or more than one, or it says when something was.
  std::string measured_by(std::size_t at, TableId table, WordSpan here) const {
    const auto columns = graded_columns(view_, at);
    if (columns.size() != 1) return {};
    const auto& column = view_.domain().column(columns.front());
    const auto extreme = asked_extreme(view_.question(), at, column);
    if (column.table != table || extreme == Extreme::unknown || is_point_in_time(column) || column.words.empty() ||
        is_named_elsewhere(columns.front(), here))
      return {};
    return (extreme == Extreme::greatest ? "highest " : "lowest ") + name_of(columns.front());
  }

  // "The most expensive room type", "the 3 cheapest rooms", "which film is the longest".
  bool name_superlative(std::size_t first) {
    constexpr std::string_view forms_of_be[] = {"is", "are", "was", "were"};
    const bool before = at(first) == "most" || at(first) == "least";
    const auto behind = first + (before ? 2 : 1);
    if (graded_at(view_.question(), first) == nullptr || !is_superlative_word(view_.question(), first) ||
        is_order_superlative(view_.question(), first) || first == 0)
      return false;
    TableId table = nothing;
    if (const auto* mention = table_at(behind, table)) {
      const auto measure = measured_by(first, table, {first, behind});
      if (measure.empty()) return false;
      edits_.push_back({{first, mention->span.last}, text_of(mention->span) + " with the " + measure});
      return true;
    }
    if (behind != end_ || first < 2 || at(first - 1) != "the" || !is_listed(forms_of_be, at(first - 2))) return false;
    const auto asked = asked_rows(first);
    if (!asked) return false;
    const auto measure = measured_by(first, asked->table, {first, behind});
    if (measure.empty()) return false;
    edits_.push_back({{first - 2, behind}, (at(first - 2) == "are" ? "have the " : "has the ") + measure});
    return true;
  }

  // The only column of numbers that the word names, with a word for a number besides at most; `nothing` if the word
  // names anything else.
  ColumnId amount_at(std::size_t i) const {
    constexpr std::string_view counts[] = {"number", "count", "total", "quantity"};
    TableId table = nothing;
    if (i >= end_ || table_at(i, table) != nullptr) return nothing;
    ColumnId found = nothing;
    for (ColumnId id = 0; id < static_cast<ColumnId>(view_.domain().columns().size()); ++id) {
      const auto& column = view_.domain().column(id);
      const auto& mentions = view_.linking().columns[static_cast<std::size_t>(id)];
      const auto here = std::find_if(mentions.begin(), mentions.end(),
                                     [i](const Mention& mention) { return mention.span.first == i; });
      if (here == mentions.end()) continue;
      const auto rest = std::count_if(column.words.begin(), column.words.end(),
                                      [&](const std::string& word) { return !is_listed(counts, word); });
      // "The most hours" are a sum where they are of other rows than those that are asked for.
      const auto asked = asked_table(view_);
      if (asked != nothing && asked != column.table) return nothing;
      if (found != nothing || column.kind != DataKind::number || column.is_id || here->weakest != WordMatch::form ||
          here->span.size() != 1 || rest != 1)
        return nothing;
      found = id;
    }
    return found;
  }

  // "Most visitors", "fewer than 1000 visitors".
  bool name_amount(std::size_t first) {
    if (at(first) == "most" || at(first) == "fewest" || at(first) == "least") {
      if (first > 0 && at(first - 1) == "at") return false;
      const auto column = amount_at(first + 1);
      if (column == nothing) return false;
      const bool article = first > 0 && at(first - 1) == "the";
      edits_.push_back(
          {{first, first + 2},
           std::string(article ? "" : "the ") + (at(first) == "most" ? "highest " : "lowest ") + name_of(column)});
      return true;
    }
    const bool is_more = at(first) == "more";
    if ((!is_more && at(first) != "fewer" && at(first) != "less") || at(first + 1) != "than" || first + 3 >= end_ ||
        !words_[first + 2].number)
      return false;
    constexpr std::string_view having[] = {"with", "have", "has", "had", "having"};
    const auto column = amount_at(first + 3);
    if (column == nothing || first < 2 || !is_listed(having, at(first - 1))) return false;
    const bool relative = at(first - 2) == "that" || at(first - 2) == "which" || at(first - 2) == "who";
    edits_.push_back({{first - (relative ? 2 : 1), first + 4},
                      "whose " + name_of(column) + (is_more ? " is more than " : " is less than ") +
                          text_of({first + 2, first + 3})});
    return true;
  }

  bool is_column(std::size_t i) const {
    return i < end_ && (view_.kind(i) == Symbol::column || view_.kind(i) == Symbol::part);
  }

  // "The average donation": the average amount of donations, which have only one.
  bool name_average(std::size_t first) {
    if (at(first) != "average" && at(first) != "total") return false;
    TableId table = nothing;
    const auto* mention = table_at(first + 1, table);
    if (mention == nullptr || is_column(mention->span.last)) return false;
    const auto price = only_price_of(view_.domain(), table);
    if (price == nothing || is_named_elsewhere(price, {first, mention->span.last})) return false;
    edits_.push_back(
        {{first, mention->span.last},
         text_of({first, first + 1}) + " " + name_of(price) + " of " + plural_of(noun_of(view_.domain(), table))});
    return true;
  }

  // "For each type of ownership", "per difficulty level": for each ownership, per difficulty.
  bool name_kind(std::size_t first) {
    constexpr std::string_view kinds[] = {"type", "kind", "category", "level", "number", "sort", "types", "kinds"};
    constexpr std::string_view groups[] = {"each", "every", "per", "by", "different"};
    if (first == 0 || is_column(first) || !is_listed(kinds, at(first))) return false;
    if (is_listed(groups, at(first - 1)) && at(first + 1) == "of" && is_column(first + 2)) {
      edits_.push_back({{first, first + 2}, ""});
      return true;
    }
    if (first < 2 || !is_column(first - 1) || !is_listed(groups, at(first - 2)) || at(first + 1) == "of") return false;
    edits_.push_back({{first - 1, first + 1}, text_of({first - 1, first})});
    return true;
  }

  // "Since 2015", "in 2015 or later", "2015 or earlier": in or after 2015, in or before it.
  bool name_years(std::size_t first) {
    constexpr std::int64_t first_year = 1500;
    constexpr std::int64_t last_year = 2100;
    const bool since = at(first) == "since";
    const auto at_number = since || at(first) == "in" ? first + 1 : first;
    if (at_number >= end_ || !words_[at_number].number || *words_[at_number].number < first_year ||
        *words_[at_number].number > last_year)
      return false;
    const auto behind = at_number + 1;
    const bool later = at(behind) == "or" && (at(behind + 1) == "later" || at(behind + 1) == "after");
    const bool earlier = at(behind) == "or" && (at(behind + 1) == "earlier" || at(behind + 1) == "before");
    if (since == (later || earlier)) return false;
    edits_.push_back({{first, since ? behind : behind + 2},
                      (earlier ? "in or before " : "in or after ") + text_of({at_number, behind})});
    return true;
  }

  // "How much did we spend on repairs": the total cost of the repairs, which have only one price.
  bool name_spending() {
    constexpr std::string_view verbs[] = {"spend", "spent", "pay", "paid"};
    constexpr std::string_view links[] = {"on", "for"};
    constexpr std::string_view fillers[] = {"money", "have", "has",  "did", "do", "we",
                                            "i",     "they", "been", "was", "is"};
    if (at(0) != "how" || at(1) != "much") return false;
    std::size_t verb = 2;
    while (verb < end_ && is_listed(fillers, at(verb))) ++verb;
    if (!is_listed(verbs, at(verb)) || !is_listed(links, at(verb + 1))) return false;
    const auto first = at(verb + 2) == "the" || at(verb + 2) == "all" ? verb + 3 : verb + 2;
    TableId table = nothing;
    const auto* mention = table_at(first, table);
    if (mention == nullptr) return false;
    const auto price = only_price_of(view_.domain(), table);
    if (price == nothing || is_named_elsewhere(price, {})) return false;
    edits_.push_back(
        {{0, mention->span.last}, "What is the total " + name_of(price) + " of the " + text_of(mention->span)});
    return true;
  }

  // "What does a baguette cost?": its price, if that is the only one.
  bool name_cost() {
    constexpr std::string_view articles[] = {"a", "an", "the", "one"};
    std::size_t first = 0;
    if (at(0) == "what" && (at(1) == "does" || at(1) == "do")) first = 2;
    if (at(0) == "how" && at(1) == "much" && (at(2) == "does" || at(2) == "do")) first = 3;
    if (first == 0 || at(end_ - 1) != "cost") return false;
    if (is_listed(articles, at(first))) ++first;
    const auto& values = view_.linking().values;
    if (values.size() != 1 || values.front().span != WordSpan{first, end_ - 1} || values.front().cells.size() != 1)
      return false;
    const auto& domain = view_.domain();
    const auto table = domain.column(values.front().cells.front().column).table;
    if (domain.table(table).display != values.front().cells.front().column) return false;
    const auto price = only_price_of(view_.domain(), table);
    if (price == nothing) return false;
    edits_.push_back(
        {{0, end_},
         "What is the " + name_of(price) + " of the " + noun_of(domain, table) + " " + text_of({first, end_ - 1})});
    return true;
  }

  // "When was Ada Moe hired?"
  bool name_event() {
    constexpr std::string_view auxiliaries[] = {"was", "were", "did", "is", "does"};
    const auto& values = view_.linking().values;
    if (at(0) != "when" || !is_listed(auxiliaries, at(1)) || values.empty() || end_ < 4) return false;
    const auto first = values.front().span.first;
    if (first != 2 && !(first == 3 && at(2) == "the")) return false;
    std::size_t last = first;
    for (const auto& value : values) {
      if (value.span.first != last || value.is_flag || value.test != ColumnTest::none) return false;
      last = value.span.last;
    }
    const WordSpan verb{last, end_};  // "hired", "move in"
    ColumnId date = nothing;
    for (ColumnId id = 0; id < static_cast<ColumnId>(view_.domain().columns().size()); ++id) {
      const auto& mentions = view_.linking().columns[static_cast<std::size_t>(id)];
      const bool here = std::any_of(mentions.begin(), mentions.end(), [verb](const Mention& mention) {
        return mention.span == verb && mention.weakest == WordMatch::form;
      });
      if (!here) continue;
      if (date != nothing || !is_point_in_time(view_.domain().column(id))) return false;
      date = id;
    }
    if (verb.size() == 0 || date == nothing) return false;
    edits_.push_back({{0, end_}, "What is " + text_of({2, last}) + "'s " + name_of(date)});
    return true;
  }

  // "Guests who have never booked anything", "recipes that were never rated": a verb from whose noun a table is called.
  bool name_undone(std::size_t first) {
    constexpr std::string_view auxiliaries[] = {"have", "has", "had", "were", "was", "did"};
    constexpr std::string_view skipped[] = {"been", "ever", "yet", "had", "got"};
    constexpr std::string_view fillers[] = {"anything", "any", "yet", "at", "all", "before"};
    if ((at(first) != "never" && at(first) != "not") || first == 0) return false;
    auto verb = first + 1;
    while (verb < end_ && is_listed(skipped, at(verb))) ++verb;
    TableId table = nothing;
    const auto* mention = table_at(verb, table);
    if (mention == nullptr || mention->span.size() != 1 || !at(verb).ends_with("ed")) return false;
    // People do, and other things are done to.
    const auto asked = asked_table(view_);
    const bool passive =
        at(verb - 1) == "been" || at(verb - 1) == "got" || at(first - 1) == "were" || at(first - 1) == "was";
    if (asked == nothing || are_people(view_.domain(), asked) == passive) return false;
    auto last = verb + 1;
    while (last < end_ && is_listed(fillers, at(last))) ++last;
    if (last != end_) return false;
    const auto begin = is_listed(auxiliaries, at(first - 1)) ? first - 1 : first;
    edits_.push_back({{begin, end_}, "have no " + plural_of(noun_of(view_.domain(), table))});
    return true;
  }

  std::vector<Edit> edits_{};
};

}  // namespace

std::vector<Edit> measure_edits(const QuestionView& view) { return MeasureNaming(view).find(); }

std::vector<Edit> column_edits(const QuestionView& view) {
  std::vector<Edit> edits;
  const auto& words = view.question().words;
  const auto& domain = view.domain();
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i].quoted || words[i].lower.ends_with("ed") || words[i].lower.ends_with("ing")) continue;
    ColumnId only = nothing;
    WordSpan span{};
    bool several = false;
    for (ColumnId id = 0; id < static_cast<ColumnId>(domain.columns().size()); ++id)
      for (const auto& mention : view.linking().columns[static_cast<std::size_t>(id)]) {
        if (!mention.span.contains({i, i + 1})) continue;
        several |= (only != nothing && only != id) || mention.weakest != WordMatch::form;
        only = id;
        span = mention.span;
      }
    if (only == nothing || several || span.first != i || domain.column(only).is_id || domain.column(only).is_foreign)
      continue;
    const auto name = short_name_in_words(domain.column(only));
    const bool is_named_so =
        std::any_of(edits.begin(), edits.end(), [&name](const Edit& edit) { return edit.text == name; });
    const bool is_whole = span.size() >= domain.column(only).words.size();
    if (!is_named_so && !is_whole && !name.empty()) edits.push_back({span, name});
  }
  return edits;
}

}  // namespace trustsql::semparse
