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
    Flag flag{{id, {}}, {id, {}}, column.words};
    const bool opened = !flag.words.empty() && opens(flag.words.front());
    std::erase_if(flag.words, opens);
    while (flag.words.size() > 1 && closes(flag.words.back())) flag.words.pop_back();
    if (flag.words.empty() || column.is_id) continue;
    if (column.min && column.max) {
      if ((opened || column.kind == DataKind::boolean) && *column.min >= 0 && *column.max == 1) {
        flag.yes.text = "1";
        flag.no.text = "0";
      }
    } else if (values_.is_complete(id)) {
      const auto [first, last] = values_.cells_of(id);
      for (const auto& [yes, no] : answers) {
        bool all = last - first <= 2;
        for (auto cell = first; all && cell < last; ++cell) {
          const auto text = values_.cell(cell).text;
          const bool says_no = equals_ignore_case(text, no);
          all = says_no || equals_ignore_case(text, yes);
          if (all) (says_no ? flag.no : flag.yes).text = text;
        }
        if (!all) flag.yes.text = flag.no.text = {};
        if (!flag.yes.text.empty()) break;
      }
    }
    if (!flag.yes.text.empty()) flags_.push_back(std::move(flag));
  }
}

namespace {

// How many words from `at` on say the flag's name, also as one word: "5G"; 0 if they do not.
std::size_t words_of_flag(const Question& question, std::size_t at, const std::vector<std::string>& name) {
  const auto& words = question.words;
  const auto has_form = [](const Word& word, const std::string& form) {
    return word.lower == form || std::find(word.lemmas.begin(), word.lemmas.end(), form) != word.lemmas.end();
  };
  std::size_t same = 0;
  while (same < name.size() && at + same < words.size() && !words[at + same].quoted &&
         has_form(words[at + same], name[same]))
    ++same;
  if (same == name.size()) return same;
  std::string joined;
  for (const auto& word : name) joined += word;
  return !words[at].quoted && words[at].lower == joined ? 1 : 0;
}

// The same for what denies it: "inactive", "uninsured", "non-vegetarian".
std::size_t words_of_denial(const Question& question, std::size_t at, const std::vector<std::string>& name) {
  constexpr std::array<std::string_view, 4> prefixes = {"in", "un", "non", "not"};
  const auto& words = question.words;
  if (words[at].quoted) return 0;
  if (words[at].lower == "non" && at + 2 < words.size() && words[at + 1].lower == "-") {
    const auto same = words_of_flag(question, at + 2, name);
    return same == 0 ? 0 : same + 2;
  }
  if (name.size() != 1) return 0;
  const auto& word = words[at].lower;
  return std::any_of(prefixes.begin(), prefixes.end(),
                     [&](std::string_view prefix) {
                       return word.size() == prefix.size() + name.front().size() && word.starts_with(prefix) &&
                              word.ends_with(name.front());
                     })
             ? 1
             : 0;
}

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

// "Vegetarian dishes" are those with a yes in that column, if the words stand for no table and no value of dishes.
void QuestionLinker::link_flags(const Question& question, Linking& linking) const {
  for (const auto& flag : flags_) {
    for (std::size_t at = 0; at < question.words.size(); ++at) {
      if (const auto size = words_of_flag(question, at, flag.words); size > 0)
        link_flag(flag.yes, {at, at + size}, question, linking);
      else if (const auto denied = words_of_denial(question, at, flag.words); denied > 0 && !flag.no.text.empty())
        link_flag(flag.no, {at, at + denied}, question, linking);
    }
  }
  std::sort(linking.values.begin(), linking.values.end(),
            [](const ValueMention& a, const ValueMention& b) { return a.span.first < b.span.first; });
}

void QuestionLinker::link_flag(const ValueIndex::Cell& cell, WordSpan span, const Question& question,
                               Linking& linking) const {
  const auto contains = [&span](const std::vector<Mention>& mentions) {
    return std::any_of(mentions.begin(), mentions.end(), [&](const Mention& mention) {
      return mention.whole() && mention.weakest == WordMatch::form && mention.span.overlaps(span);
    });
  };
  if (std::any_of(linking.tables.begin(), linking.tables.end(), contains)) return;
  const bool is_condition = is_said_of_rows(question, linking, span);
  const auto same = std::find_if(linking.values.begin(), linking.values.end(),
                                 [&span](const ValueMention& value) { return value.span.overlaps(span); });
  if (same != linking.values.end()) {
    // What customers are, and not what "active" means of their subscriptions.
    const auto table = domain_.column(cell.column).table;
    const auto& mentions = linking.tables[static_cast<std::size_t>(table)];
    const bool of_rows = std::any_of(mentions.begin(), mentions.end(), [&span](const Mention& mention) {
      return mention.span.first == span.last && mention.spelled_out();
    });
    const bool is_value = std::any_of(same->cells.begin(), same->cells.end(), [&](const ValueIndex::Cell& other) {
      return domain_.column(other.column).table == table;
    });
    if (same->span == span && same->is_derived) {
      same->cells.push_back(cell);
    } else if (same->span == span && is_condition && of_rows && !is_value && !same->quoted && !same->capitalised) {
      same->cells = {cell};
      same->is_derived = same->is_flag = true;
      same->is_name = false;
    }
    return;
  }
  auto& mentions = linking.columns[static_cast<std::size_t>(cell.column)];
  if (is_condition) std::erase_if(mentions, [&span](const Mention& mention) { return mention.span.overlaps(span); });
  linking.values.push_back({.span = span,
                            .text = std::string(question.text_of(span)),
                            .is_name = contains(mentions),
                            .is_derived = true,
                            .cells = {cell},
                            .is_flag = is_condition});
}

}  // namespace trustsql::semparse
