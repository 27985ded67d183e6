#include "semparse/abstention/objections.hpp"

#include <utility>

#include "base/text.hpp"
#include "semparse/abstention/far_meaning.hpp"
#include "semparse/abstention/lost_relation.hpp"
#include "semparse/abstention/lost_restriction.hpp"
#include "semparse/abstention/lost_scope.hpp"
#include "semparse/abstention/unclear_reference.hpp"
#include "semparse/abstention/unsorted_dates.hpp"
#include "semparse/question/asked_rows.hpp"

namespace trustsql::semparse {

Objections objections_to(const QuestionView& view, const Candidate& candidate, const Explanation& explanation) {
  Objections found;
  auto lost = lost_relation(view, candidate, explanation);
  if (!lost) lost = lost_restriction(view, explanation);
  if (!lost) lost = lost_only(view, candidate);
  if (!lost) lost = lost_ties(view, candidate);
  if (!lost) lost = lost_amount(view, candidate);
  if (lost) found.lost_word = view.question().words[*lost].text;
  if (auto far = far_meaning(view, explanation)) {
    found.far_word = view.question().words[far->word].text;
    found.far_name = std::move(far->name);
  }
  auto unclear = unclear_reference(view, candidate);
  if (!unclear) unclear = unclear_place(view, candidate);
  const auto name = [&view](ColumnId id) {
    constexpr std::size_t max_bytes = 100;
    const auto& column = view.domain().column(id);
    return quote_for_message(view.domain().table(column.table).name + "." + column.name, max_bytes);
  };
  if (const auto denied = unclear_denial(view, candidate)) found.unclear_denial = name(*denied);
  if (const auto dates = unsorted_dates(view.domain(), candidate.tree)) found.unsorted_dates = name(*dates);
  if (unclear) {
    found.unclear_columns = name(unclear->first) + " or " + name(unclear->second);
  } else if (const auto kind = unclear_rows(view, candidate)) {
    constexpr std::size_t max_bytes = 100;
    const auto& table = view.domain().table(asked_table(view));
    found.unclear_columns = quote_for_message(table.name, max_bytes) + " or " + name(*kind);
  }
  return found;
}

}  // namespace trustsql::semparse
