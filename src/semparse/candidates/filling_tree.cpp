// The tree that a draft stands for.

#include <algorithm>
#include <string_view>

#include "semparse/candidates/filling.hpp"
#include "semparse/words/word_list.hpp"

namespace trustsql::semparse {

// Whether one of the two values, which the question names beside each other, suffices: "red or blue", "red, blue and
// green" of a column that has one value in a row, but not "both red and blue".
bool Filling::are_alternatives(WordSpan first, WordSpan second) const {
  constexpr std::string_view links[] = {"or", "and", ","};
  constexpr std::string_view joining[] = {"both", "also", "together"};
  const auto& words = view_.question().words;
  if (first.last >= second.first || std::any_of(words.begin(), words.end(), [&](const Word& word) {
        return !word.quoted && is_listed(joining, word.lower);
      }))
    return false;
  for (auto at = first.last; at < second.first; ++at) {
    const auto& word = words[at];
    if (word.quoted || (!is_listed(links, word.lower) && !is_function_word(word))) return false;
  }
  return is_listed(links, words[first.last].lower);
}

// Conditions that are alternatives become one: priority IN ('urgent', 'high').
void Filling::join_alternatives(const Draft& draft, Block& block) const {
  std::vector<std::size_t> literals;  // of the conditions
  for (std::size_t i = 0; i < draft.uses.size(); ++i)
    if (draft.uses[i] == LiteralUse::where) literals.push_back(i);
  const auto is_plain = [&draft, this](std::size_t literal, const Condition& condition) {
    const auto* value = view_.literals()[literal].value;
    return draft.operators[literal] == LiteralOperator::equal && condition.comparison == Comparison::equal &&
           !condition.values.empty() && condition.other == nothing && (value == nullptr || !value->is_flag);
  };
  for (std::size_t i = 1; i < literals.size();) {
    auto& before = block.where[i - 1];
    auto& condition = block.where[i];
    if (before.term != condition.term || !is_plain(literals[i - 1], before) || !is_plain(literals[i], condition) ||
        !are_alternatives(view_.literals()[literals[i - 1]].span, view_.literals()[literals[i]].span)) {
      ++i;
      continue;
    }
    condition.values.insert(condition.values.begin(), before.values.begin(), before.values.end());
    block.where.erase(block.where.begin() + static_cast<std::ptrdiff_t>(i) - 1);
    literals.erase(literals.begin() + static_cast<std::ptrdiff_t>(i) - 1);
  }
}

// "How many owners have more than one animal?" asks for the number of groups: the column by which they are told apart,
// if the words behind "how many" or "number of" name it or its rows, and the groups are selected by something else.
ColumnId Filling::counted_group(const Draft& draft) const {
  const auto& skeleton = *draft.skeleton;
  if (!skeleton.group || !skeleton.having || skeleton.order || skeleton.operation != SetOperation::none ||
      skeleton.limit != LimitKind::none || skeleton.subquery != SubqueryKind::none ||
      std::any_of(skeleton.select.begin(), skeleton.select.end(),
                  [](const SelectPart& part) { return part.aggregate != Aggregate::none && !part.rows; }))
    return nothing;
  const auto& domain = view_.domain();
  const auto& words = view_.question().words;
  const auto opening = std::adjacent_find(words.begin(), words.end(), [](const Word& a, const Word& b) {
    return (a.lower == "how" && b.lower == "many") || ((a.lower == "number" || a.lower == "count") && b.lower == "of");
  });
  if (opening == words.end()) return nothing;
  auto at = static_cast<std::size_t>(opening - words.begin()) + 2;
  while (at < words.size() && (is_function_word(words[at]) || words[at].lower == "different")) ++at;
  const auto is_named = [at](const std::vector<Mention>& mentions) {
    return std::any_of(mentions.begin(), mentions.end(),
                       [at](const Mention& mention) { return mention.span.first == at && mention.spelled_out(); });
  };
  const auto names_rows = [&](TableId table) {
    return is_named(view_.linking().tables[static_cast<std::size_t>(table)]);
  };
  if (is_named(view_.linking().columns[static_cast<std::size_t>(draft.group)])) return draft.group;
  // Owners are told apart by the key that animals refer to, whatever else a group might be.
  const auto counted = draft.having.column == nothing ? draft.having.table : domain.column(draft.having.column).table;
  for (const auto number : domain.edges_of(counted))
    if (const auto& edge = domain.edges()[number]; domain.column(edge.child).table == counted &&
                                                   domain.column(edge.parent).table != counted &&
                                                   names_rows(domain.column(edge.parent).table))
      return edge.child;
  const auto table = domain.column(draft.group).table;
  const bool of_rows = domain.column(draft.group).is_key || domain.is_display(draft.group);
  if (!of_rows || !names_rows(table) || counted == table) return nothing;
  return domain.table(table).key == nothing ? draft.group : domain.table(table).key;
}

void Filling::count_groups(Draft& draft) const {
  const auto group = counted_group(draft);
  if (group == nothing) return;
  draft.counts_groups = true;
  draft.group = group;
  for (auto& columns : draft.select) columns.clear();  // no column is returned
  draft.further = nothing;
  draft.used.clear();
  use_table(draft, view_.domain().column(group).table);
  use_table(draft,
            draft.having.column == nothing ? draft.having.table : view_.domain().column(draft.having.column).table);
  for (std::size_t i = 0; i < draft.uses.size(); ++i)
    if (draft.uses[i] == LiteralUse::where) use_table(draft, view_.domain().column(draft.literal_columns[i]).table);
}

Tree Filling::tree_of(const Draft& draft) const {
  const auto& skeleton = *draft.skeleton;
  Tree tree;
  auto& block = tree.block;
  for (std::size_t i = 0; i < skeleton.select.size(); ++i) {
    const auto& part = skeleton.select[i];
    if (part.rows) block.select.push_back({part.aggregate, part.distinct, nothing, draft.rows[i]});
    for (const auto column : draft.select[i]) block.select.push_back({part.aggregate, part.distinct, column, nothing});
  }
  block.distinct = skeleton.distinct;
  block.joins = asked_joins_;
  Block inner;
  Block other;
  inner.joins = asked_joins_;
  other.joins = asked_joins_;
  for (std::size_t i = 0; i < draft.uses.size(); ++i) {
    const Term column{Aggregate::none, false, draft.literal_columns[i], nothing};
    switch (draft.uses[i]) {
      case LiteralUse::unused: break;
      case LiteralUse::where: block.where.push_back(condition_of(draft, i, column)); break;
      case LiteralUse::having: block.having.push_back(condition_of(draft, i, draft.having)); break;
      case LiteralUse::limit: {
        const auto* number = std::get_if<std::int64_t>(&view_.literals()[i].number->value);
        block.limit = number != nullptr ? *number : 1;
        break;
      }
      case LiteralUse::other: other.where.push_back(condition_of(draft, i, column)); break;
      case LiteralUse::subquery: inner.where.push_back(condition_of(draft, i, column)); break;
    }
  }
  block.any = skeleton.any;
  if (!skeleton.any) join_alternatives(draft, block);
  if (skeleton.null_test != NullTest::none)
    block.where.push_back({{Aggregate::none, false, draft.null_column, nothing},
                           skeleton.null_test == NullTest::is_null ? Comparison::is_null : Comparison::is_not_null,
                           {},
                           {}});
  if (skeleton.subquery != SubqueryKind::none) {
    const bool aggregate = skeleton.subquery == SubqueryKind::aggregate;
    inner.select.push_back(
        {aggregate ? skeleton.subquery_select.aggregate : Aggregate::none, false, draft.inner_column, nothing});
    const auto comparison = aggregate                                     ? skeleton.subquery_comparison
                            : skeleton.subquery == SubqueryKind::existing ? Comparison::in
                                                                          : Comparison::not_in;
    block.where.push_back({{Aggregate::none, false, draft.outer_column, nothing}, comparison, {}, {std::move(inner)}});
  }
  if (skeleton.group) block.group.push_back(draft.group);
  if (skeleton.order) block.order.push_back({draft.order, skeleton.descending});
  if (skeleton.limit == LimitKind::one) block.limit = 1;
  if (draft.further != nothing) block.tables.push_back(draft.further);
  tree.operation = skeleton.operation;
  if (skeleton.operation != SetOperation::none) {
    other.select = block.select;
    if (draft.other_further != nothing) other.tables.push_back(draft.other_further);
    tree.other.push_back(std::move(other));
  }
  if (draft.counts_groups) {
    block.select = {{Aggregate::none, false, draft.group, nothing}};
    block.counts_groups = true;
  }
  return tree;
}

}  // namespace trustsql::semparse
