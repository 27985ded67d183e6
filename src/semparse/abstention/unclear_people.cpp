#include "semparse/abstention/unclear_people.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "semparse/tree/tree_sql.hpp"

namespace trustsql::semparse {

std::optional<std::string> last_name_alone(const QuestionView& view, const Candidate& candidate) {
  const auto& domain = view.domain();
  const auto& draft = candidate.draft;
  const auto tables = tables_of(domain, candidate.tree.block);
  if (tables.size() != 1 || domain.table(tables.front()).surname == nothing || !candidate.tree.block.group.empty() ||
      candidate.tree.operation != SetOperation::none)
    return std::nullopt;
  const auto& table = domain.table(tables.front());
  std::optional<std::string> name;
  for (std::size_t i = 0; i < draft.uses.size(); ++i) {
    if (draft.uses[i] == LiteralUse::unused) continue;
    const auto* value = view.literals()[i].value;
    if (draft.uses[i] != LiteralUse::where || value == nullptr || draft.literal_columns[i] != table.surname)
      return std::nullopt;
    name = value->text;
  }
  const auto& select = candidate.tree.block.select;
  const bool counts =
      std::any_of(select.begin(), select.end(), [](const Term& term) { return term.aggregate != Aggregate::none; });
  // "The singers called Hughes" may be several.
  const auto& words = view.question().words;
  const auto& mentions = view.linking().tables[static_cast<std::size_t>(tables.front())];
  const bool several = std::any_of(mentions.begin(), mentions.end(), [&words](const Mention& mention) {
    const auto& noun = words[mention.span.last - 1];
    return noun.lower != noun.lemma() && noun.lower.ends_with('s');
  });
  return counts || several ? std::nullopt : name;
}

Result<std::string> shared_name(const QuestionView& view, const Candidate& candidate, Sandbox& sandbox) {
  const auto& domain = view.domain();
  const auto& draft = candidate.draft;
  if (tables_of(domain, candidate.tree.block).size() < 2) return std::string();
  for (std::size_t i = 0; i < draft.uses.size(); ++i) {
    const auto column = draft.literal_columns[i];
    const auto* value = view.literals()[i].value;
    if (draft.uses[i] != LiteralUse::where || value == nullptr || column == nothing) continue;
    const auto& table = domain.table(domain.column(column).table);
    const bool is_name = table.surname != nothing && (column == table.display || column == table.surname);
    const auto other = column == table.surname ? table.display : table.surname;
    const bool both = std::any_of(draft.literal_columns.begin(), draft.literal_columns.end(),
                                  [other](ColumnId each) { return each == other; });
    if (!is_name || both || !domain.column(column).shared) continue;
    const auto cell = std::find_if(value->cells.begin(), value->cells.end(),
                                   [column](const ValueIndex::Cell& each) { return each.column == column; });
    if (cell == value->cells.end()) continue;
    const auto rows =
        sandbox.run("SELECT 1 FROM " + quote_identifier(table.schema) + "." + quote_identifier(table.name) + " WHERE " +
                    quote_identifier(domain.column(column).name) + " = " + quote_string(cell->text) + " LIMIT 2");
    if (!rows.ok()) {
      if (ends_the_call(rows.error().code)) return rows.error();
      continue;
    }
    if (rows->row_count() > 1) return value->text;
  }
  return std::string();
}

}  // namespace trustsql::semparse
