#include "semparse/question/named_rows.hpp"

#include <algorithm>
#include <string_view>

#include "semparse/question/answer_list.hpp"
#include "semparse/question/asked_rows.hpp"
#include "semparse/question/question_cues.hpp"
#include "semparse/question/sentence.hpp"
#include "semparse/tree/description.hpp"
#include "semparse/words/word_list.hpp"

namespace trustsql::semparse {

namespace {

class NamedRows : private Sentence {
 public:
  using Sentence::Sentence;

  std::optional<std::string> find_rows() const {
    if (auto owned = find_owned()) return owned;
    const bool asks_who = at(0) == "who" && is_listed(copulas, at(1)) && at(2) == "the";
    const auto asked = asks_who ? who_is_asked() : asked_rows(end_);
    if (!asked || !opens_with_rows(*asked)) return std::nullopt;
    const auto& table = view_.domain().table(asked->table);
    if (table.display == nothing || table.display_rank == table.next_display_rank) return std::nullopt;
    const auto rows = asks_who ? text_of({2, end_}) : named_rows_text(*asked);
    if (rows.empty() || rows.starts_with("for each")) return std::nullopt;
    const auto& last = words_[asked->behind - 1];
    const bool one = last.lower == last.lemma();
    const auto name = [&](ColumnId id) {
      return one ? short_name_in_words(view_.domain().column(id))
                 : plural_of(short_name_in_words(view_.domain().column(id)));
    };
    return "show the " + name(table.display) + (table.surname != nothing ? " and " + name(table.surname) : "") +
           " of " + rows;
  }

  std::optional<std::string> find_groups() const {
    std::size_t first = at(0) == "how" && at(1) == "many" ? 2 : 0;
    if (first == 0) {
      while (first < end_ && is_request_word(view_, first)) ++first;
      if (at(first) != "number" || at(first + 1) != "of") return std::nullopt;
      first += 2;
    }
    std::size_t last = first;
    for (auto end = first + 1; end <= end_ && end < first + 4; ++end)
      if (is_rows({first, end})) last = end;
    const bool counts = last > first;
    const auto amount = counts ? std::string() : amount_from(first, last);
    if (last == first) return std::nullopt;
    constexpr std::string_view group_words[] = {"each", "every", "per"};
    for (auto by = last; by + 1 < end_; ++by) {
      if (words_[by].quoted || !is_listed(group_words, at(by))) {
        if (view_.kind(by) != Symbol::word && !is_function_word(words_[by])) return std::nullopt;
        continue;
      }
      const auto group = read_answer_items(view_, {by + 1, end_});
      if (!group || group->size() != 1 || group->front().columns.empty()) return std::nullopt;
      auto name = text_of(group->front().span);
      if (group->front().is_table) name += " " + short_name_in_words(view_.domain().column(group->front().columns[0]));
      auto text = "show the " + name;
      text += " and the " + (counts ? "number of " + text_of({first, last}) : "total " + amount);
      text += " for each ";
      return text.append(name);
    }
    return std::nullopt;
  }

 private:
  // What names the rows of a table: "first name and last name".
  std::string names_of(const DomainTable& table) const {
    const auto name = [this](ColumnId id) { return short_name_in_words(view_.domain().column(id)); };
    return name(table.display) + (table.surname != nothing ? " and " + name(table.surname) : "");
  }

  // The name of the only column of numbers that begins at word `first`, and in `last` the word behind it; empty if
  // there is none.
  std::string amount_from(std::size_t first, std::size_t& last) const {
    std::string name;
    for (ColumnId id = 0; id < static_cast<ColumnId>(view_.domain().columns().size()); ++id)
      for (const auto& mention : view_.linking().columns[static_cast<std::size_t>(id)]) {
        if (mention.span.first != first) continue;
        const auto& column = view_.domain().column(id);
        if (!name.empty() || column.kind != DataKind::number || column.is_id || !mention.spelled_out()) return {};
        name = text_of(mention.span);
        last = mention.span.last;
      }
    return name;
  }

  bool are_values(WordSpan words) const {
    for (auto i = words.first; i < words.last; ++i)
      if (view_.kind(i) != Symbol::value) return false;
    return words.size() > 0;
  }

  // "Who is Ann Moe's manager?": the name of the manager of Ann Moe.
  std::optional<std::string> find_owned() const {
    if (at(0) != "who" || !is_listed(copulas, at(1)) || end_ < 5) return std::nullopt;
    const auto& tables = view_.linking().tables;
    for (TableId id = 0; id < static_cast<TableId>(tables.size()); ++id)
      for (const auto& mention : tables[static_cast<std::size_t>(id)]) {
        const auto mark = mention.span.first - 1;
        if (mention.span.last != end_ || !mention.spelled_out() || mention.span.first < 4 || at(mark) != "'s" ||
            !are_values({2, mark}) || view_.domain().table(id).display == nothing)
          continue;
        return "show the " + names_of(view_.domain().table(id)) + " of the " + text_of(mention.span) + " of " +
               text_of({2, mark});
      }
    return std::nullopt;
  }

  // The rows that are asked for, as what "of" may stand before: "the longest film" of "which film is the longest", "the
  // films with more than one award" of "which films have more than one award".
  std::string named_rows_text(const Asked& asked) const {
    constexpr std::string_view amounts[] = {"a",    "an",   "the",   "at",      "more", "less", "fewer",
                                            "most", "both", "least", "exactly", "no",   "over", "under"};
    const auto behind = asked.behind;
    if (is_listed(copulas, at(behind)) && at(behind + 1) == "the" && behind + 2 < end_) {
      bool superlative = is_superlative_word(view_.question(), behind + 2);
      if (at(behind + 2) == "most" || at(behind + 2) == "least")
        superlative = behind + 4 == end_;
      else
        superlative = superlative && behind + 3 == end_;
      if (superlative) return "the " + text_of({behind + 2, end_}) + " " + text_of({asked.first, behind});
    }
    const bool has = at(behind) == "has" || at(behind) == "have";
    if (has && at(behind + 1) == "the" && (at(behind + 2) == "most" || at(behind + 2) == "fewest"))
      return "the " + text_of({asked.first, behind}) + " that " + text_of({behind, end_});
    if (has && behind + 1 < end_ && (is_listed(amounts, at(behind + 1)) || words_[behind + 1].number))
      return "the " + text_of({asked.first, behind}) + " with " + text_of({behind + 1, end_});
    return rows_text(end_, asked, {});
  }

  // The rows of "who is the youngest player": of the first table that is named.
  std::optional<Asked> who_is_asked() const {
    const auto table = asked_table(view_);
    if (table == nothing) return std::nullopt;
    for (const auto& mention : view_.linking().tables[static_cast<std::size_t>(table)])
      if (mention.spelled_out()) return Asked{table, mention.span.first, mention.span.last};
    return std::nullopt;
  }

  // Whether the question is one sentence, and nothing in it stands in front of the rows that it asks for but a request,
  // and then values, numbers and superlatives: "which French films", and neither "the weight of the youngest teacher"
  // nor "whom does Ann Moe teach".
  bool opens_with_rows(const Asked& asked) const {
    constexpr std::string_view openings_of_rows[] = {"which", "what",  "who", "of",   "our",
                                                     "all",   "those", "any", "every"};
    for (std::size_t i = 0; i < end_; ++i)
      if (!words_[i].quoted && is_listed(sentence_ends, at(i))) return false;
    std::size_t i = 0;
    while (i < asked.first && (is_request_word(view_, i) || is_listed(openings_of_rows, at(i)))) ++i;
    while (i < asked.first && (view_.kind(i) == Symbol::value || view_.kind(i) == Symbol::number ||
                               is_superlative_word(view_.question(), i)))
      ++i;
    return i == asked.first && (asked.first > 0 || asked.behind < end_);
  }
};

}  // namespace

std::optional<std::string> with_named_rows(const QuestionView& view) { return NamedRows(view).find_rows(); }

std::optional<std::string> with_named_groups(const QuestionView& view) { return NamedRows(view).find_groups(); }

}  // namespace trustsql::semparse
