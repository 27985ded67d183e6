#include "semparse/abstention/unclear_reference.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "semparse/database/people.hpp"
#include "semparse/question/asked_joins.hpp"
#include "semparse/question/asked_rows.hpp"
#include "semparse/question/word_match.hpp"
#include "semparse/tree/joins.hpp"
#include "semparse/tree/query_leaves.hpp"
#include "semparse/tree/tree_sql.hpp"
#include "semparse/words/word_list.hpp"

namespace trustsql::semparse {

namespace {

// The number of the edge between two columns; nullopt if there is none.
std::optional<std::size_t> edge_of(const Domain& domain, ColumnId child, ColumnId parent) {
  for (std::size_t edge = 0; edge < domain.edges().size(); ++edge)
    if (domain.edges()[edge].child == child && (parent == nothing || domain.edges()[edge].parent == parent))
      return edge;
  return std::nullopt;
}

// The column of the edge, and one that refers to the same rows and that the question names as well, if the reading's
// joins do not choose one.
std::optional<std::pair<ColumnId, ColumnId>> as_good_as(const QuestionView& view, const Block& block,
                                                        std::size_t edge) {
  constexpr int named = 3;  // by its own words, or an abbreviation
  const auto& domain = view.domain();
  const auto parallel = parallel_edges(domain, edge);
  const auto is_asked = [&block](std::size_t each) {
    return std::find(block.joins.begin(), block.joins.end(), each) != block.joins.end();
  };
  if (parallel.size() < 2 || std::any_of(parallel.begin(), parallel.end(), is_asked)) return std::nullopt;
  // What the question names by its own words is chosen as well.
  const auto child = domain.edges()[edge].child;
  const auto naming_of = [&](ColumnId column) { return naming(view.column_mention(column)); };
  for (const auto other : parallel)
    if (other != edge && (naming_of(domain.edges()[other].child) >= naming_of(child) || naming_of(child) < named))
      return std::pair(child, domain.edges()[other].child);
  return std::nullopt;
}

// "The harvests that Pete supervised" may be those whose foreman he was, and need not be those of foremen whose boss he
// is: two references, one behind the other, of which nothing else in the reading uses the row between.
std::optional<std::pair<ColumnId, ColumnId>> behind_unnamed_row(const Domain& domain,
                                                                const std::vector<TableId>& terminals,
                                                                const JoinTree& joins) {
  for (const auto second : joins.edges) {
    const auto& to_role = domain.edges()[second];
    const auto role = domain.column(to_role.parent).table;
    const auto between = domain.column(to_role.child).table;
    if (domain.table(role).role_of == nothing || domain.stored_table(role) != domain.stored_table(between) ||
        std::find(terminals.begin(), terminals.end(), between) != terminals.end())
      continue;
    for (const auto first : joins.edges)
      if (domain.column(domain.edges()[first].parent).table == between)
        return std::pair(to_role.child, domain.edges()[first].child);
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::pair<ColumnId, ColumnId>> unclear_reference(const QuestionView& view, const Candidate& candidate) {
  const auto& domain = view.domain();
  const auto& block = candidate.tree.block;
  // "Bands without concerts", of which they are the headliners or the support.
  for (const auto& condition : block.where) {
    if (condition.subquery.empty() || condition.subquery.front().select.empty()) continue;
    const auto& inner = condition.subquery.front();
    const auto edge = edge_of(domain, inner.select.front().column, condition.term.column);
    if (!edge) continue;
    if (auto pair = as_good_as(view, inner, *edge)) return pair;
  }
  const auto terminals = tables_of(domain, block);
  if (terminals.size() < 2) return std::nullopt;
  const auto trees = join_trees(domain, terminals, 1, block.joins);
  if (trees.empty()) return std::nullopt;
  for (const auto edge : trees.front().edges)
    if (auto pair = as_good_as(view, block, edge)) return pair;
  return behind_unnamed_row(domain, terminals, trees.front());
}

namespace {

class UnclearRole {
 public:
  explicit UnclearRole(const QuestionView& view) : view_(view), domain_(view.domain()) {}

  std::optional<std::pair<ColumnId, ColumnId>> in(const Block& block) const {
    const auto terminals = tables_of(domain_, block);
    if (terminals.size() > 1) {
      const auto trees = join_trees(domain_, terminals, 1, block.joins);
      for (std::size_t i = 0; !trees.empty() && i < trees.front().edges.size(); ++i)
        if (auto pair = of(trees.front().edges[i])) return pair;
    }
    for (const auto& condition : block.where) {
      std::optional<std::size_t> edge;
      const auto column = condition.term.column;
      if (condition.comparison == Comparison::is_null || condition.comparison == Comparison::is_not_null)
        edge = edge_of(domain_, column, nothing);
      if (!condition.subquery.empty()) {
        const auto& inner = condition.subquery.front();
        const auto selected = inner.select.empty() ? nothing : inner.select.front().column;
        edge = edge_of(domain_, selected, column);
        if (!edge) edge = edge_of(domain_, column, selected);
        if (auto pair = in(inner)) return pair;
      }
      if (!edge) continue;
      if (auto pair = of(*edge)) return pair;
    }
    return std::nullopt;
  }

 private:
  // The column of the edge and one that relates its tables otherwise, if it is a role that the question does not name.
  std::optional<std::pair<ColumnId, ColumnId>> of(std::size_t number) const {
    const auto& edge = domain_.edges()[number];
    const auto child = domain_.column(edge.child).table;
    const auto parent = domain_.column(edge.parent).table;
    if (child == parent) return std::nullopt;
    auto role = domain_.role_words(number);
    const auto& own = domain_.table(parent).words;
    std::erase_if(role, [&own](const std::string& word) { return is_listed(own, word); });
    if (role.empty() || is_named(role)) return std::nullopt;
    for (const auto other : domain_.edges_between(child, parent))
      if (other != number && domain_.column(domain_.edges()[other].child).table != child)
        return std::pair(edge.child, domain_.edges()[other].child);
    for (const auto to_child : domain_.edges_of(child)) {
      const auto link = domain_.column(domain_.edges()[to_child].child).table;
      if (link == child || link == parent) continue;
      for (const auto to_parent : domain_.edges_between(link, parent))
        if (domain_.column(domain_.edges()[to_parent].child).table == link)
          return std::pair(edge.child, domain_.edges()[to_parent].child);
    }
    return std::nullopt;
  }

  bool is_named(const std::vector<std::string>& role) const {
    const auto& words = view_.question().words;
    return std::any_of(words.begin(), words.end(), [&](const Word& word) {
      return std::any_of(role.begin(), role.end(), [&](const std::string& part) {
        return is_listed(word.lemmas, part) || is_form_of_verb(part, word.lemma());
      });
    });
  }

  const QuestionView& view_;
  const Domain& domain_;
};

}  // namespace

std::optional<std::pair<ColumnId, ColumnId>> unclear_role(const QuestionView& view, const Candidate& candidate) {
  const UnclearRole role(view);
  auto found = role.in(candidate.tree.block);
  for (const auto& block : candidate.tree.other)
    if (!found) found = role.in(block);
  return found;
}

std::optional<std::pair<std::size_t, TableId>> unclear_doers(const QuestionView& view, const Candidate& candidate) {
  constexpr std::string_view passives[] = {"been", "was", "were", "got", "be"};
  constexpr std::size_t reach = 3;
  const auto& domain = view.domain();
  const auto& words = view.question().words;
  const auto asked = asked_table(view);
  const bool of_none =
      candidate.draft.skeleton->subquery == SubqueryKind::missing || candidate.tree.operation == SetOperation::except;
  if (!of_none || asked == nothing) return std::nullopt;
  for (TableId table = 0; table < static_cast<TableId>(domain.tables().size()); ++table) {
    if (table == asked || domain.table(table).words.size() != 1 || domain.edges_between(asked, table).empty()) continue;
    for (const auto& mention : view.linking().tables[static_cast<std::size_t>(table)]) {
      const auto verb = mention.span.first;
      if (mention.span.size() != 1 || !words[verb].lower.ends_with("ed")) continue;
      // A donor is who donates.
      const auto& doers = view.linking().tables[static_cast<std::size_t>(asked)];
      if (std::any_of(doers.begin(), doers.end(), [verb](const Mention& each) {
            return each.span.contains({verb, verb + 1});
          }))
        continue;
      bool passive = false;
      for (auto i = verb; i > 0 && verb - i < reach; --i) passive |= is_listed(passives, words[i - 1].lower);
      const bool unclear = are_people(domain, asked) ? passive || !are_only_people_of(domain, asked, table) : !passive;
      if (unclear) return std::pair(verb, table);
    }
  }
  return std::nullopt;
}

namespace {

// "How many books were sold": the column of a table that the reading joins which says how many of them each row has.
std::optional<ColumnId> pieces_of(const QuestionView& view, const Candidate& candidate) {
  constexpr std::string_view amounts[] = {"quantity", "qty", "copy", "unit", "piece", "amount", "count"};
  constexpr std::string_view passives[] = {"were", "was", "been", "did"};
  const auto& domain = view.domain();
  const auto& words = view.question().words;
  const auto& block = candidate.tree.block;
  const auto counted = asked_table(view);
  const bool counts =
      block.select.size() == 1 && block.select.front().aggregate == Aggregate::count && block.group.empty();
  if (!counts || counted == nothing || words.size() < 3 || words[1].lower != "many" ||
      std::none_of(words.begin(), words.end(),
                   [&passives](const Word& word) { return is_listed(passives, word.lower); }))
    return std::nullopt;
  const auto terminals = tables_of(domain, block);
  if (terminals.size() < 2) return std::nullopt;
  const auto trees = join_trees(domain, terminals, 1, block.joins);
  if (trees.empty()) return std::nullopt;
  for (const auto table : trees.front().tables) {
    const auto edges = domain.edges_between(counted, table);
    const bool refers = std::any_of(edges.begin(), edges.end(), [&](std::size_t edge) {
      return domain.column(domain.edges()[edge].child).table == table;
    });
    if (table == counted || !refers) continue;
    for (auto id = domain.table(table).first_column; id < domain.table(table).last_column; ++id) {
      const auto& column = domain.column(id);
      if (column.kind == DataKind::number && !column.is_id && !column.words.empty() &&
          is_listed(amounts, column.words.front()))
        return id;
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<ColumnId> unclear_number(const QuestionView& view, const Candidate& candidate) {
  const auto& domain = view.domain();
  const auto& block = candidate.tree.block;
  const auto is_count = [](const Term& term) { return term.aggregate == Aggregate::count; };
  const bool counts =
      std::any_of(block.select.begin(), block.select.end(), is_count) ||
      std::any_of(block.order.begin(), block.order.end(), [&](const Order& order) { return is_count(order.term); }) ||
      std::any_of(block.having.begin(), block.having.end(),
                  [&](const Condition& condition) { return is_count(condition.term); }) ||
      std::any_of(block.where.begin(), block.where.end(),
                  [](const Condition& condition) { return condition.comparison == Comparison::not_in; }) ||
      candidate.tree.operation == SetOperation::except;
  if (!counts) return std::nullopt;
  const auto used = leaves_of(candidate.tree, domain).columns;
  if (const auto pieces = pieces_of(view, candidate)) return pieces;
  for (ColumnId id = 0; id < static_cast<ColumnId>(domain.columns().size()); ++id) {
    const auto& column = domain.column(id);
    // "Hives" are a number of them, "hive" is one.
    const bool is_plural = !column.words.empty() && !column.words.back().ends_with('s') && column.name.ends_with('s');
    if (column.kind != DataKind::number || column.is_id || column.is_foreign || !is_plural ||
        std::find(used.begin(), used.end(), id) != used.end())
      continue;
    for (TableId table = 0; table < static_cast<TableId>(domain.tables().size()); ++table) {
      const auto* mention = view.table_mention(table);
      if (table != column.table && mention != nullptr && mention->spelled_out() &&
          domain.table(table).words == column.words)
        return id;
    }
  }
  return std::nullopt;
}

std::optional<std::pair<ColumnId, ColumnId>> unclear_date(const QuestionView& view, const Candidate& candidate) {
  constexpr std::int64_t first_year = 1800;
  constexpr std::int64_t last_year = 2100;
  const auto& domain = view.domain();
  const auto& draft = candidate.draft;
  const auto asked = asked_table(view);
  const auto is_participle = [&view](std::size_t i) {
    const auto& word = view.question().words[i];
    return is_past_participle(word) || (word.lower.ends_with("ing") && !word.quoted);
  };
  if (asked == nothing) return std::nullopt;
  for (std::size_t i = 0; i < draft.uses.size(); ++i) {
    const auto* number = view.literals()[i].number;
    const auto column = draft.literal_columns[i];
    if (number == nullptr || draft.uses[i] != LiteralUse::where || column == nothing) continue;
    const auto* year = std::get_if<std::int64_t>(&number->value);
    const bool is_date = number->spelled || (year != nullptr && *year >= first_year && *year <= last_year);
    const auto stored = domain.stored_column(column);
    const auto* mention = view.column_mention(stored);
    // "Sold in 2016" says when it was sold, not when it was built.
    const auto first = number->span.first;
    for (std::size_t other = 0; is_date && first > 1 && other < draft.uses.size(); ++other) {
      const auto* status = view.literals()[other].value;
      if (status != nullptr && status->span.last + 1 == first && draft.literal_columns[other] != nothing &&
          (status->is_flag || is_participle(status->span.last - 1)) && (mention == nullptr || naming(mention) < 2))
        return std::pair(stored, draft.literal_columns[other]);
    }
    if (!is_date || domain.column(stored).table == asked || (mention != nullptr && naming(mention) > 1)) continue;
    for (auto id = domain.table(asked).first_column; id < domain.table(asked).last_column; ++id)
      if (domain.column(id).has_iso_dates) return std::pair(stored, id);
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
  for (const auto& condition : candidate.tree.block.where)
    if ((condition.comparison == Comparison::not_equal || condition.comparison == Comparison::not_like) &&
        condition.term.column != nothing && view.domain().column(condition.term.column).has_nulls)
      return condition.term.column;
  // "Races that were not held", as all races but those that were.
  if (candidate.tree.operation == SetOperation::except)
    for (const auto& block : candidate.tree.other)
      for (const auto& condition : block.where)
        if (condition.comparison == Comparison::equal && condition.term.column != nothing &&
            view.domain().column(condition.term.column).has_nulls && tables_of(view.domain(), block).size() == 1)
          return condition.term.column;
  return std::nullopt;
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
