// Whether a query counts the rows, and makes the groups, that the question asks for.

#include <algorithm>

#include "semparse/candidates/licence.hpp"
#include "semparse/tree/tree_sql.hpp"
#include "semparse/words/word_list.hpp"

namespace trustsql::semparse {

namespace {

bool begins_at(const std::vector<Mention>& mentions, std::size_t at) {
  return std::any_of(mentions.begin(), mentions.end(),
                     [at](const Mention& mention) { return mention.span.first == at && mention.spelled_out(); });
}

}  // namespace

// The tables that a word begins to name, where it is no column's name as well.
std::vector<TableId> Licence::tables_named_at(std::size_t word) const {
  std::vector<TableId> tables;
  const auto& columns = view_.linking().columns;
  if (word >= view_.question().words.size() ||
      std::any_of(columns.begin(), columns.end(),
                  [word](const std::vector<Mention>& mentions) { return begins_at(mentions, word); }))
    return tables;
  for (TableId table = 0; table < static_cast<TableId>(view_.domain().tables().size()); ++table)
    if (begins_at(view_.linking().tables[static_cast<std::size_t>(table)], word)) tables.push_back(table);
  return tables;
}

// Whether the words stand in the name of a column: "wind speed in miles per hour".
bool Licence::is_part_of_name(WordSpan words) const {
  const auto& columns = view_.linking().columns;
  return std::any_of(columns.begin(), columns.end(), [words](const std::vector<Mention>& mentions) {
    return std::any_of(mentions.begin(), mentions.end(),
                       [words](const Mention& mention) { return mention.span.contains(words); });
  });
}

// "How many dogs ...", of a value 'dog'.
bool Licence::is_counted(const ValueMention& value) const {
  const auto& words = view_.question().words;
  return value.span.first == 2 && words[0].lower == "how" && words[1].lower == "many" && !value.is_name &&
         !value.cells.empty();
}

// The word that says what is counted: behind "how many", "number of", and values: "how many open tickets".
std::optional<std::size_t> Licence::counted_word() const {
  const auto& words = view_.question().words;
  const auto opening = std::adjacent_find(words.begin(), words.end(), [](const Word& a, const Word& b) {
    return (a.lower == "how" && b.lower == "many") || (a.lower == "number" && b.lower == "of");
  });
  if (opening == words.end()) return std::nullopt;
  auto next = static_cast<std::size_t>(opening - words.begin()) + 2;
  while (next < words.size() && (view_.kind(next) == Symbol::value || words[next].lower == "different" ||
                                 words[next].lower == "distinct" || words[next].lower == "the"))
    ++next;
  return next;
}

bool Licence::counts_named_rows(const Tree& tree) const {
  const auto word = counted_word();
  const auto asked = word ? tables_named_at(*word) : std::vector<TableId>();
  return asked.empty() || std::all_of(tree.block.select.begin(), tree.block.select.end(), [&asked](const Term& term) {
           return term.aggregate != Aggregate::count || term.column != nothing ||
                  std::find(asked.begin(), asked.end(), term.table) != asked.end();
         });
}

bool Licence::counts_asked_rows(const Draft& draft, const Tree& tree) const {
  if (tree.block.counts_groups ||
      std::none_of(draft.skeleton->select.begin(), draft.skeleton->select.end(),
                   [](const SelectPart& part) { return part.aggregate == Aggregate::count; }))
    return true;
  const auto word = counted_word();
  const auto asked = word ? tables_named_at(*word) : std::vector<TableId>();
  if (asked.empty()) return counts_rows_of_value(draft);
  // Rows that refer to members may be counted for them.
  const auto stands_for_asked = [&](TableId table) {
    if (std::find(asked.begin(), asked.end(), table) != asked.end()) return true;
    const auto& edges = view_.domain().edges_of(table);
    return std::any_of(edges.begin(), edges.end(), [&](std::size_t number) {
      const auto& edge = view_.domain().edges()[number];
      return view_.domain().column(edge.child).table == table &&
             std::find(asked.begin(), asked.end(), view_.domain().column(edge.parent).table) != asked.end();
    });
  };
  for (const auto& term : tree.block.select) {
    if (term.aggregate != Aggregate::count) continue;
    if (term.column == nothing && !stands_for_asked(term.table)) return false;
    // Different cities are no customers.
    if (!term.distinct || term.column == nothing || has(Cue::distinct)) continue;
    const auto& column = view_.domain().column(term.column);
    const auto& mentions = view_.linking().columns[static_cast<std::size_t>(term.column)];
    const bool is_named = std::any_of(mentions.begin(), mentions.end(), [&](const Mention& mention) {
      // "How many customer cities", and not "how many stalls closed".
      return mention.coverage > 0.4F && mention.span.first <= *word + 1 &&
             !is_past_participle(view_.question().words[mention.span.first]);
    });
    if (!column.is_id && !column.is_key && !is_named) return false;
  }
  const auto used = tables_of(view_.domain(), tree.block);
  return std::any_of(used.begin(), used.end(), stands_for_asked);
}

// "How many dogs does Grace own?" counts rows of the table that has the value 'dog'.
bool Licence::counts_rows_of_value(const Draft& draft) const {
  for (std::size_t i = 0; i < draft.uses.size(); ++i) {
    const auto* value = view_.literals()[i].value;
    if (draft.uses[i] != LiteralUse::where || value == nullptr || !is_counted(*value)) continue;
    const auto table = view_.domain().column(draft.literal_columns[i]).table;
    for (std::size_t part = 0; part < draft.rows.size(); ++part)
      if (draft.skeleton->select[part].aggregate == Aggregate::count && draft.skeleton->select[part].rows &&
          draft.rows[part] != table)
        return false;
  }
  return true;
}

// The groups with the greatest totals, with other totals beside them: where the same kind of amount is returned, it is
// the one that groups are sorted or selected by.
bool Licence::judges_by_another_amount(const Draft& draft) const {
  const auto is_other = [&draft](const SelectPart& wanted, const Term& term) {
    bool returned = false;
    for (std::size_t part = 0; part < draft.select.size(); ++part) {
      if (draft.skeleton->select[part] != wanted) continue;
      returned = true;
      if (wanted.rows ? draft.rows[part] == term.table : draft.select[part].front() == term.column) return false;
    }
    return returned;
  };
  const auto& skeleton = *draft.skeleton;
  return (skeleton.order && skeleton.order->aggregate != Aggregate::none && is_other(*skeleton.order, draft.order)) ||
         (skeleton.having && is_other(*skeleton.having, draft.having));
}

// "Each year", "per birth year", and groups of days, or no groups.
bool Licence::groups_by_days(const Draft& draft) const {
  constexpr std::string_view periods[] = {"year", "month", "week", "quarter", "decade", "weekday", "hour"};
  const auto& words = view_.question().words;
  const auto has_dates = [this](ColumnId id) { return id != nothing && view_.domain().column(id).has_iso_dates; };
  // The period itself, or one that a word of a date stands before.
  const auto names_period = [&](std::size_t at) {
    if (at < words.size() && is_listed(periods, words[at].lower)) return true;
    if (at + 1 >= words.size() || !is_listed(periods, words[at + 1].lower)) return false;
    const auto id = draft.group != nothing         ? draft.group
                    : draft.select.front().empty() ? nothing
                                                   : draft.select.front().front();
    if (!has_dates(id)) return false;
    const auto& mentions = view_.linking().columns[static_cast<std::size_t>(id)];
    return std::any_of(mentions.begin(), mentions.end(),
                       [at](const Mention& mention) { return mention.span.first <= at && at < mention.span.last; });
  };
  const bool of_periods = std::any_of(cues_.begin(), cues_.end(), [&](const CueMention& cue) {
    return cue.cue == Cue::each && names_period(cue.span.last);
  });
  if (!of_periods) return false;
  if (draft.group != nothing) return has_dates(draft.group);
  return std::any_of(draft.select.begin(), draft.select.end(),
                     [&](const auto& ids) { return std::any_of(ids.begin(), ids.end(), has_dates); });
}

// "For each teacher" tells what belongs to the teacher: a row of a group has one value in the columns that it is
// grouped by, and in those of the rows that these name or refer to.
bool Licence::returns_what_groups_have(const Draft& draft) const {
  if (draft.group == nothing) return true;
  const auto& domain = view_.domain();
  const auto table_of = [&domain](ColumnId id) { return domain.column(id).table; };
  std::vector<TableId> determined;
  const auto add = [&determined](TableId table) {
    if (std::find(determined.begin(), determined.end(), table) == determined.end()) determined.push_back(table);
  };
  if (domain.column(draft.group).is_key || domain.is_display(draft.group)) add(table_of(draft.group));
  for (const auto& edge : domain.edges())
    if (edge.child == draft.group) add(table_of(edge.parent));
  for (std::size_t i = 0; i < determined.size(); ++i)  // NOLINT(modernize-loop-convert): the body adds to it
    for (const auto number : domain.edges_of(determined[i]))
      if (const auto& edge = domain.edges()[number]; table_of(edge.child) == determined[i]) add(table_of(edge.parent));
  const auto is_joined_with_group = [&](ColumnId id) {
    return std::any_of(domain.edges().begin(), domain.edges().end(), [&](const JoinEdge& edge) {
      return (edge.child == id && edge.parent == draft.group) || (edge.parent == id && edge.child == draft.group);
    });
  };
  for (std::size_t part = 0; part < draft.select.size(); ++part) {
    if (draft.skeleton->select[part].aggregate != Aggregate::none) continue;
    for (const auto id : draft.select[part])
      if (id != draft.group && !is_joined_with_group(id) &&
          std::find(determined.begin(), determined.end(), table_of(id)) == determined.end())
        return false;
  }
  return true;
}

bool Licence::groups_as_asked(const Draft& draft) const {
  const auto& words = view_.question().words;
  const auto& domain = view_.domain();
  for (const auto& cue : cues_) {
    if (cue.cue != Cue::each || is_part_of_name(cue.span)) continue;
    auto next = cue.span.last;
    while (next < words.size() && is_function_word(words[next])) ++next;
    if (next >= words.size()) continue;
    const auto kind = view_.kind(next);
    if (kind != Symbol::column && kind != Symbol::table && kind != Symbol::part) continue;
    if (draft.group == nothing) {
      const bool one_number = draft.skeleton->subquery == SubqueryKind::none &&
                              std::all_of(draft.skeleton->select.begin(), draft.skeleton->select.end(),
                                          [](const SelectPart& part) { return part.aggregate != Aggregate::none; });
      if (one_number) return false;
      continue;
    }
    const auto asked = tables_named_at(next);
    const bool compound = next + 1 < words.size() && view_.kind(next + 1) == Symbol::column;
    if (asked.empty() || compound) continue;
    const auto is_asked = [&asked](TableId table) {
      return std::find(asked.begin(), asked.end(), table) != asked.end();
    };
    const auto& group = domain.column(draft.group);
    // Behind "each", and not among what is asked for in front of it.
    constexpr std::size_t reach = 4;
    const auto& mentions = view_.linking().columns[static_cast<std::size_t>(draft.group)];
    const bool named = std::any_of(mentions.begin(), mentions.end(), [&](const Mention& mention) {
      return mention.coverage > 0.4F && mention.span.last > next && mention.span.first < next + reach;
    });
    const bool of_row = is_asked(group.table) && (group.is_key || domain.is_display(draft.group) ||
                                                  domain.table(group.table).display == nothing);
    const bool refers = std::any_of(domain.edges().begin(), domain.edges().end(), [&](const JoinEdge& edge) {
      return edge.child == draft.group && is_asked(domain.column(edge.parent).table);
    });
    if (!named && !of_row && !refers) return false;
  }
  return true;
}

}  // namespace trustsql::semparse
