#include "semparse/abstention/unclear_reference.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "semparse/question/asked_joins.hpp"
#include "semparse/question/asked_rows.hpp"
#include "semparse/tree/joins.hpp"
#include "semparse/tree/tree_sql.hpp"
#include "semparse/words/word_list.hpp"

namespace trustsql::semparse {

std::optional<std::pair<ColumnId, ColumnId>> unclear_reference(const QuestionView& view, const Candidate& candidate) {
  const auto& domain = view.domain();
  const auto& block = candidate.tree.block;
  const auto terminals = tables_of(domain, block);
  if (terminals.size() < 2) return std::nullopt;
  const auto trees = join_trees(domain, terminals, 1, block.joins);
  if (trees.empty()) return std::nullopt;
  for (const auto edge : trees.front().edges) {
    const auto parallel = parallel_edges(domain, edge);
    const auto is_asked = [&block](std::size_t each) {
      return std::find(block.joins.begin(), block.joins.end(), each) != block.joins.end();
    };
    if (parallel.size() < 2 || std::any_of(parallel.begin(), parallel.end(), is_asked)) continue;
    // What the question names by its own words is chosen as well.
    const auto child = domain.edges()[edge].child;
    const auto naming_of = [&](ColumnId column) { return naming(view.column_mention(column)); };
    for (const auto other : parallel)
      if (other != edge && naming_of(domain.edges()[other].child) >= naming_of(child))
        return std::pair(child, domain.edges()[other].child);
  }
  return std::nullopt;
}

namespace {

// Whether rows of `from` refer to rows of `to`; with `related`, also whether rows that refer to both relate them.
bool leads_to(const Domain& domain, TableId from, TableId to, bool related) {
  const auto& edges = domain.edges();
  const auto refers = [&](TableId child, TableId parent) {
    return std::any_of(edges.begin(), edges.end(), [&](const JoinEdge& edge) {
      return domain.column(edge.child).table == child && domain.column(edge.parent).table == parent;
    });
  };
  if (refers(from, to)) return true;
  return related && std::any_of(edges.begin(), edges.end(), [&](const JoinEdge& edge) {
           const auto between = domain.column(edge.child).table;
           return domain.column(edge.parent).table == from && between != from && between != to && refers(between, to);
         });
}

}  // namespace

std::optional<std::pair<ColumnId, ColumnId>> unclear_place(const QuestionView& view, const Candidate& candidate) {
  constexpr std::string_view links[] = {"in", "at", "from"};
  constexpr std::string_view articles[] = {"a", "an", "the"};
  const auto& domain = view.domain();
  const auto& words = view.question().words;
  const auto& draft = candidate.draft;
  const auto used = tables_of(domain, candidate.tree.block);
  const auto is_named = [&view](ColumnId id) {
    const auto* mention = view.column_mention(id);
    return mention != nullptr && mention->weakest >= WordMatch::abbreviation;
  };
  for (std::size_t i = 0; i < draft.uses.size(); ++i) {
    const auto* value = view.literals()[i].value;
    const auto column = draft.literal_columns[i];
    if (value == nullptr || draft.uses[i] != LiteralUse::where || column == nothing || is_named(column)) continue;
    auto before = value->span.first;
    while (before > 0 && is_listed(articles, words[before - 1].lower)) --before;
    if (before == 0 || !is_listed(links, words[before - 1].lower)) continue;
    const auto table = domain.column(column).table;
    for (const auto& cell : value->cells) {
      const auto other = domain.column(cell.column).table;
      if (other == table || is_named(cell.column) || view.table_mention(other) != nullptr ||
          std::find(used.begin(), used.end(), other) != used.end() ||
          !leads_to(domain, table, other, words[before - 1].lower != "from"))
        continue;
      return std::pair(column, cell.column);
    }
  }
  return std::nullopt;
}

std::optional<ColumnId> unclear_denial(const QuestionView& view, const Candidate& candidate) {
  constexpr std::string_view denials[] = {"0", "n", "no", "f", "false"};
  const auto& draft = candidate.draft;
  for (std::size_t i = 0; i < draft.uses.size(); ++i) {
    const auto* value = view.literals()[i].value;
    const auto column = draft.literal_columns[i];
    if (value == nullptr || !value->is_flag || draft.uses[i] == LiteralUse::unused || column == nothing) continue;
    const bool denied = std::any_of(value->cells.begin(), value->cells.end(), [&](const ValueIndex::Cell& cell) {
      return cell.column == column && is_listed(denials, to_lower_ascii(cell.text));
    });
    if (denied && (view.domain().column(column).has_nulls || view.domain().column(column).has_blanks)) return column;
  }
  return std::nullopt;
}

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

std::optional<ColumnId> unclear_rows(const QuestionView& view, const Candidate& candidate) {
  const auto& domain = view.domain();
  const auto& block = candidate.tree.block;
  const auto table = asked_table(view);
  if (table == nothing || candidate.tree.operation != SetOperation::none || !block.where.empty() ||
      !block.group.empty() || tables_of(domain, block) != std::vector{table})
    return std::nullopt;
  for (const auto& mention : view.linking().tables[static_cast<std::size_t>(table)])
    for (const auto& value : view.linking().values) {
      if (value.span != mention.span || !value.is_name) continue;
      for (const auto& cell : value.cells)
        if (domain.column(cell.column).table != table && domain.column(cell.column).shared) return cell.column;
    }
  return std::nullopt;
}

}  // namespace trustsql::semparse
