#include "semparse/question/asked_times.hpp"

#include <algorithm>
#include <string_view>

#include "semparse/question/extremes.hpp"
#include "semparse/words/word_list.hpp"

namespace trustsql::semparse {

namespace {

constexpr float named_coverage = 0.4F;

bool says_when(const DomainColumn& column) { return column.has_iso_dates || is_point_in_time(column); }

// The dates and years that the verb in front of a year names.
std::vector<ColumnId> dates_named_by_verb(const QuestionView& view, const Literal& literal) {
  std::vector<ColumnId> named;
  if (literal.span.first < 2) return named;
  const auto behind_verb = literal.span.first - 1;
  for (ColumnId id = 0; id < static_cast<ColumnId>(view.domain().columns().size()); ++id) {
    const auto& mentions = view.linking().columns[static_cast<std::size_t>(id)];
    const bool by_verb = std::any_of(mentions.begin(), mentions.end(), [behind_verb](const Mention& mention) {
      return mention.span.last == behind_verb && mention.coverage > named_coverage &&
             mention.weakest >= WordMatch::abbreviation;
    });
    if (by_verb && says_when(view.domain().column(id))) named.push_back(id);
  }
  return named;
}

}  // namespace

bool is_said_as_year(const QuestionView& view, const Literal& literal) {
  constexpr std::string_view prepositions[] = {"in", "during", "after", "before", "since", "until", "from", "year"};
  if (literal.number == nullptr || literal.span.first == 0) return false;
  const auto& words = view.question().words;
  const auto* year = std::get_if<std::int64_t>(&literal.number->value);
  if (year == nullptr || *year < first_plain_year || *year > last_plain_year) return false;
  const bool or_later =
      literal.span.last + 1 < words.size() && words[literal.span.last].lower == "or" &&
      (words[literal.span.last + 1].lower == "later" || words[literal.span.last + 1].lower == "earlier");
  // "Our 2023 sales".
  const bool of_rows = literal.span.last < words.size() && view.kind(literal.span.last) == Symbol::table;
  return or_later || of_rows || is_listed(prepositions, words[literal.span.first - 1].lower);
}

TableId table_before(const QuestionView& view, std::size_t word) {
  TableId last = nothing;
  std::size_t place = 0;
  for (TableId table = 0; table < static_cast<TableId>(view.domain().tables().size()); ++table)
    for (const auto& mention : view.linking().tables[static_cast<std::size_t>(table)])
      if (mention.spelled_out() && mention.span.last <= word && mention.span.last > place) {
        place = mention.span.last;
        last = table;
      }
  return last;
}

std::vector<bool> dates_of_something_else(const QuestionView& view, const Literal& literal) {
  if (!is_said_as_year(view, literal)) return {};
  const auto& domain = view.domain();
  const auto count = static_cast<ColumnId>(domain.columns().size());
  if (const auto named = dates_named_by_verb(view, literal); !named.empty()) {
    std::vector<bool> others(static_cast<std::size_t>(count), true);
    for (const auto id : named) others[static_cast<std::size_t>(id)] = false;
    return others;
  }
  const auto spoken_of = table_before(view, literal.span.first);
  if (spoken_of == nothing) return {};
  const auto& table = domain.table(spoken_of);
  bool has_date = false;
  for (auto id = table.first_column; id < table.last_column; ++id) has_date |= says_when(domain.column(id));
  if (!has_date) return {};
  std::vector<bool> others(static_cast<std::size_t>(count), false);
  for (ColumnId id = 0; id < count; ++id) {
    const auto* mention = view.column_mention(id);
    others[static_cast<std::size_t>(id)] =
        domain.column(id).table != spoken_of && (mention == nullptr || mention->coverage <= named_coverage);
  }
  return others;
}

bool verb_dates_something_else(const QuestionView& view, const Literal& literal, ColumnId column) {
  const auto named = is_said_as_year(view, literal) ? dates_named_by_verb(view, literal) : std::vector<ColumnId>();
  return !named.empty() && std::find(named.begin(), named.end(), column) == named.end();
}

}  // namespace trustsql::semparse
