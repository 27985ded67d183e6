#include "semparse/abstention/objections.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/text.hpp"
#include "semparse/abstention/far_meaning.hpp"
#include "semparse/abstention/lost_comparison.hpp"
#include "semparse/abstention/lost_relation.hpp"
#include "semparse/abstention/lost_restriction.hpp"
#include "semparse/abstention/lost_scope.hpp"
#include "semparse/abstention/unclear_present.hpp"
#include "semparse/abstention/unclear_reference.hpp"
#include "semparse/abstention/unclear_total.hpp"
#include "semparse/abstention/unsorted_dates.hpp"
#include "semparse/question/asked_rows.hpp"
#include "semparse/words/word_list.hpp"

namespace trustsql::semparse {

namespace {

// "Was the watch sold?", "are all flats let?": whether the reading returns the names of rows for a yes or no.
bool returns_rows_for_yes(const QuestionView& view, const Candidate& candidate) {
  constexpr std::string_view openings[] = {"is", "are", "was", "were"};
  constexpr std::string_view all_words[] = {"all", "every", "each"};
  const auto& words = view.question().words;
  if (words.size() < 3 || !is_listed(openings, words[0].lower)) return false;
  auto next = std::size_t{1};
  if (words[next].lower == "the") ++next;
  const bool of_row = view.kind(next) == Symbol::value || is_listed(all_words, words[1].lower);
  const auto& select = candidate.tree.block.select;
  return of_row && std::all_of(select.begin(), select.end(), [&view](const Term& term) {
           return term.aggregate == Aggregate::none &&
                  (term.column == nothing || view.domain().is_display(term.column));
         });
}

}  // namespace

Objections objections_to(const QuestionView& view, const Candidate& candidate, const Explanation& explanation) {
  Objections found;
  auto lost = lost_relation(view, candidate, explanation);
  if (!lost) lost = lost_restriction(view, explanation);
  if (!lost) lost = lost_only(view, candidate);
  if (!lost) lost = lost_ties(view, candidate);
  if (!lost) lost = lost_amount(view, candidate);
  if (!lost) lost = lost_all(view, candidate);
  if (!lost) lost = lost_sum(view, candidate);
  if (!lost) lost = lost_exchange(view, candidate, explanation);
  if (!lost) lost = lost_limit(view, candidate);
  if (!lost) lost = lost_comparison(view, candidate);
  if (!lost) lost = lost_other_side(view, candidate);
  if (!lost) lost = lost_name(view, candidate);
  if (lost) found.lost_word = view.question().words[*lost].text;
  if (auto far = far_meaning(view, explanation)) {
    found.far_word = view.question().words[far->word].text;
    found.far_name = std::move(far->name);
  }
  if (const auto doers = unclear_doers(view, candidate); doers && found.far_word.empty()) {
    found.far_word = view.question().words[doers->first].text;
    found.far_name = view.domain().table(doers->second).name;
  }
  auto unclear = unclear_reference(view, candidate);
  if (!unclear) unclear = unclear_place(view, candidate);
  if (!unclear) unclear = unclear_role(view, candidate);
  if (!unclear) unclear = unclear_date(view, candidate);
  const auto name = [&view](ColumnId id) {
    constexpr std::size_t max_bytes = 100;
    const auto& column = view.domain().column(id);
    return quote_for_message(view.domain().table(column.table).name + "." + column.name, max_bytes);
  };
  if (const auto denied = unclear_denial(view, candidate)) found.unclear_denial = name(*denied);
  const auto& select = candidate.tree.block.select;
  const bool compares_names =
      candidate.tree.operation == SetOperation::except || candidate.tree.operation == SetOperation::intersect;
  if (compares_names && select.size() == 1 && select.front().column != nothing &&
      view.domain().is_display(select.front().column) && view.domain().column(select.front().column).shared)
    found.shared_names = name(select.front().column);
  if (const auto amounts = mixed_amounts(view, candidate)) found.mixed_amounts = name(*amounts);
  if (const auto dates = unsorted_dates(view.domain(), candidate.tree)) found.unsorted_dates = name(*dates);
  if (unclear) {
    found.unclear_columns = name(unclear->first) + " or " + name(unclear->second);
  } else if (const auto number = unclear_number(view, candidate)) {
    found.unclear_columns = "rows or " + name(*number);
  } else if (const auto amount = unclear_total(view, candidate)) {
    found.unclear_columns = name(*amount) + " of one row or of all together";
  } else if (const auto most = unclear_most(view, candidate)) {
    found.unclear_columns = "the number of rows or " + name(*most);
  } else if (const auto end = unclear_present(view, candidate)) {
    found.unclear_columns = "all rows or those without " + name(*end);
  } else if (const auto then = unclear_then(view, candidate)) {
    found.unclear_columns = "all rows that there were then or those with " + name(*then) + " in that time";
  } else if (returns_rows_for_yes(view, candidate)) {
    found.unclear_columns = "yes or no or the list of rows";
  } else if (const auto kind = unclear_rows(view, candidate)) {
    constexpr std::size_t max_bytes = 100;
    const auto& table = view.domain().table(asked_table(view));
    found.unclear_columns = quote_for_message(table.name, max_bytes) + " or " + name(*kind);
  }
  return found;
}

}  // namespace trustsql::semparse
