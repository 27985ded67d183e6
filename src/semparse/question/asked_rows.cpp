#include "semparse/question/asked_rows.hpp"

#include <algorithm>
#include <string_view>

#include "semparse/question/question_cues.hpp"
#include "semparse/words/word_list.hpp"

namespace trustsql::semparse {

TableId asked_table(const QuestionView& view) {
  TableId first = nothing;
  std::size_t place = view.question().words.size();
  for (TableId table = 0; table < static_cast<TableId>(view.domain().tables().size()); ++table)
    for (const auto& mention : view.linking().tables[static_cast<std::size_t>(table)]) {
      if (!(mention.whole() || mention.spelled_out()) || mention.span.first >= place) continue;
      place = mention.span.first;
      first = table;
    }
  return first;
}

bool asks_for_rows(const QuestionView& view, TableId table) {
  const auto& mentions = view.linking().tables[static_cast<std::size_t>(table)];
  const auto first = std::min_element(mentions.begin(), mentions.end(),
                                      [](const Mention& a, const Mention& b) { return a.span.first < b.span.first; });
  const auto& words = view.question().words;
  if (first == mentions.end() || !(first->whole() || first->spelled_out())) return false;
  // "The customer's name", "the customer name"; but not "clubs founded before 1930".
  constexpr std::string_view times[] = {"in",    "on",      "at",     "before", "after",
                                        "since", "between", "during", "from",   "by"};
  const auto next = first->span.last;
  const bool participle =
      next + 1 < words.size() && words[next].lower.ends_with("ed") && is_listed(times, words[next + 1].lower);
  if (next < words.size() && !participle && (words[next].lower == "'s" || view.kind(next) == Symbol::column))
    return false;
  for (std::size_t i = 0; i < first->span.first; ++i) {
    if (is_superlative_word(view.question(), i)) continue;
    if (view.kind(i) == Symbol::column || view.kind(i) == Symbol::part || words[i].lower == "many" ||
        words[i].lower == "how" || words[i].lower == "number" || words[i].lower == "when" ||
        words[i].lower == "where" || words[i].lower == "who")
      return false;
  }
  return true;
}

}  // namespace trustsql::semparse
