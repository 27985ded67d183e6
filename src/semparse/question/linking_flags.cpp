// Columns that say yes or no, which a question names like an adjective: "vegetarian dishes", "houses with a garden".

#include <algorithm>
#include <array>
#include <utility>

#include "base/text.hpp"
#include "semparse/question/linking.hpp"

namespace trustsql::semparse {

// Columns with two values that mean yes and no, or with 1 and 0 where the name begins with "is" or "has".
void QuestionLinker::find_flags() {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 4> answers = {
      {{"yes", "no"}, {"true", "false"}, {"y", "n"}, {"t", "f"}}};
  constexpr std::array<std::string_view, 8> openings = {"is", "be", "has", "have", "was", "can", "are", "does"};
  const auto opens = [&openings](const std::string& word) {
    return std::find(openings.begin(), openings.end(), word) != openings.end();
  };
  constexpr std::array<std::string_view, 4> endings = {"yn", "flag", "indicator", "ind"};
  const auto closes = [&endings](const std::string& word) {
    return std::find(endings.begin(), endings.end(), word) != endings.end();
  };
  for (ColumnId id = 0; id < static_cast<ColumnId>(domain_.columns().size()); ++id) {
    const auto& column = domain_.column(id);
    Flag flag{{id, {}}, column.words};
    const bool opened = !flag.words.empty() && opens(flag.words.front());
    std::erase_if(flag.words, opens);
    while (flag.words.size() > 1 && closes(flag.words.back())) flag.words.pop_back();
    if (flag.words.empty() || column.is_id) continue;
    if (column.min && column.max) {
      if ((opened || column.kind == DataKind::boolean) && *column.min >= 0 && *column.max == 1) flag.yes.text = "1";
    } else if (values_.is_complete(id)) {
      const auto [first, last] = values_.cells_of(id);
      for (const auto& [yes, no] : answers) {
        bool all = last - first <= 2;
        for (auto cell = first; all && cell < last; ++cell) {
          const auto text = values_.cell(cell).text;
          all = equals_ignore_case(text, yes) || equals_ignore_case(text, no);
          if (all && equals_ignore_case(text, yes)) flag.yes.text = text;
        }
        if (!all) flag.yes.text = {};
        if (!flag.yes.text.empty()) break;
      }
    }
    if (!flag.yes.text.empty()) flags_.push_back(std::move(flag));
  }
}

namespace {

// Whether the words are an adjective in front of a table's name, or behind "are", "are not", "with a", and not behind
// "whether".
bool is_said_of_rows(const Question& question, const Linking& linking, WordSpan span) {
  constexpr std::array<std::string_view, 9> linking_words = {"is",   "are",     "was",  "were", "not",
                                                             "with", "without", "have", "has"};
  constexpr std::array<std::string_view, 5> skipped = {"a", "an", "any", "no", "currently"};
  const auto& words = question.words;
  const auto is_in = [](const auto& list, std::string_view word) {
    return std::find(list.begin(), list.end(), word) != list.end();
  };
  for (const auto& word : words)
    if (word.lower == "whether" || word.lower == "if") return false;
  const bool before_table =
      std::any_of(linking.tables.begin(), linking.tables.end(), [&span](const std::vector<Mention>& mentions) {
        return std::any_of(mentions.begin(), mentions.end(), [&span](const Mention& mention) {
          return mention.span.first == span.last && mention.weakest >= WordMatch::abbreviation;
        });
      });
  if (before_table) return true;
  auto at = span.first;
  while (at > 0 && is_in(skipped, words[at - 1].lower)) --at;
  const bool ends = span.last == words.size() || is_function_word(words[span.last]);
  return ends && at > 1 && is_in(linking_words, words[at - 1].lower);
}

}  // namespace

// "Vegetarian dishes" are those with a yes in that column, if the words stand for no table and no value.
void QuestionLinker::link_flags(const Question& question, Linking& linking) const {
  const auto& words = question.words;
  const auto has_form = [](const Word& word, const std::string& form) {
    return word.lower == form || std::find(word.lemmas.begin(), word.lemmas.end(), form) != word.lemmas.end();
  };
  for (const auto& flag : flags_) {
    for (std::size_t at = 0; at + flag.words.size() <= words.size(); ++at) {
      const WordSpan span{at, at + flag.words.size()};
      bool here = true;
      for (std::size_t j = 0; here && j < flag.words.size(); ++j)
        here = !words[at + j].quoted && has_form(words[at + j], flag.words[j]);
      const auto contains = [&span](const std::vector<Mention>& mentions) {
        return std::any_of(mentions.begin(), mentions.end(), [&](const Mention& mention) {
          return mention.whole() && mention.weakest == WordMatch::form && mention.span.overlaps(span);
        });
      };
      const auto same = std::find_if(linking.values.begin(), linking.values.end(),
                                     [&span](const ValueMention& value) { return value.span.overlaps(span); });
      if (!here || std::any_of(linking.tables.begin(), linking.tables.end(), contains)) continue;
      if (same != linking.values.end()) {
        if (same->span == span && same->is_derived) same->cells.push_back(flag.yes);
        continue;
      }
      auto& mentions = linking.columns[static_cast<std::size_t>(flag.yes.column)];
      const bool is_condition = is_said_of_rows(question, linking, span);
      if (is_condition)
        std::erase_if(mentions, [&span](const Mention& mention) { return mention.span.overlaps(span); });
      linking.values.push_back({.span = span,
                                .text = std::string(question.text_of(span)),
                                .is_name = contains(mentions),
                                .is_derived = true,
                                .cells = {flag.yes},
                                .is_flag = is_condition});
    }
  }
  std::sort(linking.values.begin(), linking.values.end(),
            [](const ValueMention& a, const ValueMention& b) { return a.span.first < b.span.first; });
}

}  // namespace trustsql::semparse
