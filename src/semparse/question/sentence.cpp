#include "semparse/question/sentence.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "semparse/question/asked_rows.hpp"
#include "semparse/question/question_cues.hpp"
#include "semparse/words/word_list.hpp"

namespace trustsql::semparse {

namespace {

std::string joined(const std::vector<std::string>& words) {
  std::string name;
  for (const auto& word : words) name += (name.empty() ? "" : " ") + word;
  return name;
}

}  // namespace

Sentence::Sentence(const QuestionView& view) : view_(view), words_(view.question().words), end_(words_.size()) {
  while (end_ > 0 && is_closing_word(end_ - 1)) --end_;
}

std::string Sentence::text_of(WordSpan span) const {
  if (span.size() == 0) return {};
  const std::string_view text = view_.question().text;
  auto begin = words_[span.first].begin;
  auto end = words_[span.last - 1].end;
  const auto before = span.first > 0 ? words_[span.first - 1].end : 0;
  const auto behind = span.last < words_.size() ? words_[span.last].begin : text.size();
  while (begin > before && !is_space(text[begin - 1])) --begin;
  while (end < behind && !is_space(text[end])) ++end;
  return std::string(text.substr(begin, end - begin));
}

bool Sentence::is_closing_word(std::size_t i) const {
  constexpr std::string_view closing[] = {"please", "pls", "thanks", "thank", "only", ".", "?", "!", ";"};
  return !words_[i].quoted && is_listed(closing, at(i));
}

const Mention* Sentence::table_at(std::size_t first, TableId& table) const {
  const auto& tables = view_.linking().tables;
  for (TableId id = 0; id < static_cast<TableId>(tables.size()); ++id)
    for (const auto& mention : tables[static_cast<std::size_t>(id)])
      if (mention.span.first == first && mention.spelled_out()) {
        table = id;
        return &mention;
      }
  return nullptr;
}

std::size_t Sentence::first_name(std::size_t last) const {
  std::size_t i = 0;
  while (i < last && view_.kind(i) != Symbol::column && view_.kind(i) != Symbol::table && view_.kind(i) != Symbol::part)
    ++i;
  return i;
}

bool Sentence::is_rows(WordSpan words) const {
  return std::any_of(view_.linking().tables.begin(), view_.linking().tables.end(), [words](const auto& mentions) {
    return std::any_of(mentions.begin(), mentions.end(), [words](const Mention& mention) {
      return mention.span == words && (mention.whole() || mention.spelled_out());
    });
  });
}

bool Sentence::is_name(WordSpan words) const {
  bool any = false;
  for (auto i = words.first; i < words.last; ++i) {
    if (words_[i].quoted) return false;
    if (is_function_word(words_[i])) continue;
    if (view_.kind(i) != Symbol::column && view_.kind(i) != Symbol::part && view_.kind(i) != Symbol::table)
      return false;
    any = true;
  }
  return any;
}

std::optional<Sentence::Asked> Sentence::asked_rows(std::size_t last) const {
  const auto table = asked_table(view_);
  if (table == nothing || !asks_for_rows(view_, table)) return std::nullopt;
  std::optional<Asked> asked;
  std::size_t place = last;
  for (const auto& mention : view_.linking().tables[static_cast<std::size_t>(table)])
    if ((mention.whole() || mention.spelled_out()) && mention.span.first < place && mention.span.last <= last) {
      place = mention.span.first;
      asked = Asked{table, mention.span.first, mention.span.last};
    }
  if (asked && (at(asked->behind) == "'" || at(asked->behind) == "'s")) return std::nullopt;
  return asked;
}

std::string Sentence::rows_text(std::size_t last, const std::optional<Asked>& asked,
                                const std::vector<AnswerItem>& items) const {
  constexpr std::string_view no_article[] = {"each", "every", "our", "my", "everyone", "any", "those", "people"};
  if (!asked) return people_text(last, items);
  if (at(0) == "for" && (at(1) == "each" || at(1) == "every")) return "for each " + text_of({2, last});
  std::size_t first = 0;
  bool interrogative = false;
  while (first < last && (is_request_word(view_, first) || at(first) == "which" || at(first) == "our" ||
                          (at(first) == "of" && first > 0 && (at(first - 1) == "list" || at(first - 1) == "which")))) {
    const bool asks = at(first) == "which" || at(first) == "what";
    interrogative = asks || (interrogative && (at(first) == "of" || at(first) == "our" || at(first) == "the"));
    ++first;
  }
  if (first >= asked->behind) return {};
  std::string text = is_listed(no_article, at(first)) ? "" : "the ";
  if (!interrogative || !begins_clause(asked->behind, last)) return text + text_of({first, last});
  return text + text_of({first, asked->behind}) + " that " + text_of({asked->behind, last});
}

// "Who was hired in 2015": the rows of the only table that has a name and all that is listed; empty if there is none.
std::string Sentence::people_text(std::size_t last, const std::vector<AnswerItem>& items) const {
  if (is_listed(copulas, at(1)) && at(2) == "the") return text_of({2, last});  // "who is the customer that ..."
  const auto& domain = view_.domain();
  TableId people = nothing;
  for (TableId id = 0; id < static_cast<TableId>(domain.tables().size()); ++id) {
    const bool has_all = std::all_of(items.begin(), items.end(), [&](const AnswerItem& item) {
      return std::any_of(item.columns.begin(), item.columns.end(),
                         [&](ColumnId column) { return domain.column(column).table == id; });
    });
    if (!has_all || domain.table(id).display == nothing) continue;
    if (people != nothing) return {};
    people = id;
  }
  if (people == nothing) return {};
  std::string text = "the";
  for (const auto& word : domain.table(people).words) text += " " + word;
  return text + " that " + text_of({1, last});
}

// Whether a verb follows that "that" must stand before: "authors were born".
bool Sentence::begins_clause(std::size_t i, std::size_t last) const {
  constexpr std::string_view no_verbs[] = {"in",   "on",    "at",    "from",  "with",  "without", "of",      "for",
                                           "who",  "that",  "whose", "where", "which", "by",      "to",      "under",
                                           "over", "above", "below", "near",  "after", "before",  "between", "and"};
  return i < last && !is_listed(no_verbs, at(i)) && !is_listed(borders_of_lists, at(i));
}

std::string name_in_words(const DomainColumn& column) { return joined(column.all_words); }

std::string short_name_in_words(const DomainColumn& column) {
  return joined(column.words.empty() ? column.all_words : column.words);
}

}  // namespace trustsql::semparse
