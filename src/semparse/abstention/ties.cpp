#include "semparse/abstention/ties.hpp"

#include <string_view>

#include "semparse/question/question_cues.hpp"
#include "semparse/tree/tree_sql.hpp"
#include "semparse/words/word_list.hpp"

namespace trustsql::semparse {

Result<bool> cuts_ties(const Domain& domain, const Tree& tree, Sandbox& sandbox) {
  if (tree.operation != SetOperation::none || !tree.block.limit || *tree.block.limit < 1 || tree.block.order.empty() ||
      tree.block.counts_groups)
    return false;
  Tree longer = tree;
  for (const auto& order : tree.block.order) longer.block.select.push_back(order.term);
  ++*longer.block.limit;
  const auto sql = sql_of(domain, longer);
  if (!sql) return false;
  const auto rows = sandbox.run(*sql);
  if (!rows.ok()) {
    if (ends_the_call(rows.error().code)) return rows.error();
    return false;
  }
  const auto last = static_cast<std::size_t>(*tree.block.limit);
  if (rows->row_count() <= last) return false;
  const auto terms = tree.block.order.size();
  bool is_same = true;  // in what is returned
  for (std::size_t column = 0; column < rows->column_count(); ++column) {
    const bool are_equal = equal(rows->at(last - 1, column), rows->at(last, column));
    if (column + terms >= rows->column_count() && !are_equal) return false;
    is_same = is_same && are_equal;
  }
  return !is_same;
}

bool asks_for_the_one(const QuestionView& view, const Tree& tree) {
  const auto& words = view.question().words;
  for (const auto table : tables_of(view.domain(), tree.block))
    for (const auto& mention : view.linking().tables[static_cast<std::size_t>(table)]) {
      const auto first = mention.span.first;
      const auto& last = words[mention.span.last - 1];
      if (first > 0 && words[first - 1].lower == "the" && mention.spelled_out() && last.lower == last.lemma() &&
          mention.span.last < words.size() && words[mention.span.last].lower == "of")
        return true;
    }
  return false;
}

std::optional<std::size_t> plural_superlative(const QuestionView& view) {
  constexpr std::string_view openings[] = {"which", "what"};
  const auto& words = view.question().words;
  if (words.size() < 3) return std::nullopt;
  for (std::size_t i = 2; i < words.size(); ++i) {
    if (!is_superlative_word(view.question(), i) || words[i - 1].lower != "the") continue;
    if (words[i - 2].lower == "are" || words[i - 2].lower == "were") return i;
    for (std::size_t noun = 1; noun + 1 < i; ++noun)
      if (is_listed(openings, words[0].lower) && words[noun + 1].lower != "of" && words[noun].lower.ends_with('s') &&
          words[noun].lower != words[noun].lemma() &&
          (view.kind(noun) == Symbol::table || view.kind(noun) == Symbol::column || view.kind(noun) == Symbol::part))
        return i;
  }
  return std::nullopt;
}

}  // namespace trustsql::semparse
