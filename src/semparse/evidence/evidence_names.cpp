// Which tables and columns a candidate uses, and where other names would have served as well.

#include <algorithm>

#include "semparse/evidence/evidence_collector.hpp"

namespace trustsql::semparse {

void EvidenceCollector::tables() {
  int named = 0;
  int unnamed = 0;
  int bare = 0;  // neither the table nor a column of it is named
  for (const auto table : explanation_.tables) {
    const bool by_column = std::any_of(explanation_.uses.begin(), explanation_.uses.end(),
                                       [&](const auto& use) { return use.table == table && use.mention != nullptr; });
    const bool is_named = mention_of_table(table) != nullptr;
    named += is_named ? 1 : 0;
    unnamed += is_named ? 0 : 1;
    bare += is_named || by_column ? 0 : 1;
  }
  int left_out = 0;  // tables that are named in full, and not used
  for (TableId table = 0; table < static_cast<TableId>(domain_.tables().size()); ++table) {
    const auto* mention = mention_of_table(table);
    if (mention == nullptr || !mention->whole()) continue;
    if (std::binary_search(explanation_.tables.begin(), explanation_.tables.end(), table)) continue;
    bool within_column = false;
    for (const auto& use : explanation_.uses)
      within_column |= use.mention != nullptr && use.column != nothing && use.mention->span.contains(mention->span);
    if (!within_column) ++left_out;
  }
  write_("tables", explanation_.tables.size());
  write_("tables named", named);
  write_("tables not named", unnamed);
  write_("tables without any name", bare);
  write_("tables left out", left_out);
  write_("joins", explanation_.joins);
  write_("inferred joins", explanation_.inferred_joins);
  write_("join trees", explanation_.join_trees);
  write_("further table", draft_.further != nothing);
  write_("tables of the database", domain_.tables().size());
}

void EvidenceCollector::rivals() {
  int better = 0;
  int equal_used = 0;  // of a table that is used or named
  int equal_elsewhere = 0;
  int unnamed = 0;
  int owner_agrees = 0;
  int owner_differs = 0;
  int named_owner_agrees = 0;
  int named_owner_refers = 0;
  int named_owner_differs = 0;
  int longer = 0;
  float coverage = 1;
  for (const auto& use : explanation_.uses) {
    if (use.column == nothing) continue;
    if (use.mention == nullptr) {
      ++unnamed;
      continue;
    }
    coverage = std::min(coverage, use.mention->coverage);
    for (ColumnId other = 0; other < static_cast<ColumnId>(domain_.columns().size()); ++other) {
      const auto* rival = other == use.column ? nullptr : mention_of(other);
      if (rival == nullptr || !rival->span.overlaps(use.mention->span)) continue;
      const bool also_used = std::any_of(explanation_.uses.begin(), explanation_.uses.end(),
                                         [&](const auto& each) { return each.column == other; });
      if (also_used) continue;
      if (rival->coverage > use.mention->coverage + 0.05F && rival->matched >= use.mention->matched) ++better;
      if (rival->coverage < use.mention->coverage - 0.05F) continue;
      const auto table = table_of(other);
      const bool near = std::binary_search(explanation_.tables.begin(), explanation_.tables.end(), table) ||
                        mention_of_table(table) != nullptr;
      ++(near ? equal_used : equal_elsewhere);
    }
    longer += use.step == StepKind::select_columns ? longer_names(use.column) : 0;
    // The table that is mentioned nearest to the column should be its own.
    int own = 99;
    int others = 99;
    for (TableId table = 0; table < static_cast<TableId>(domain_.tables().size()); ++table) {
      for (const auto& mention : view_.linking().tables[static_cast<std::size_t>(table)]) {
        if (mention.coverage < 0.5F) continue;
        auto& nearest = table == use.table ? own : others;
        nearest = std::min(nearest, words_between(mention.span, use.mention->span));
      }
    }
    if (own < others)
      ++owner_agrees;
    else if (others < own)
      ++owner_differs;
    const auto owner = explicit_owner(use.mention->span);
    if (owner == nothing) continue;
    if (owner == use.table)
      ++named_owner_agrees;
    else if (refers_to(owner, use.table))
      ++named_owner_refers;
    else
      ++named_owner_differs;
  }
  write_("better names", better);
  write_("equal names near", std::min(equal_used, 9));
  write_("equal names elsewhere", std::min(equal_elsewhere, 9));
  write_("longer names that the question gives in parts", longer);
  write_("uses that are not named", unnamed);
  write_("columns beside their table", owner_agrees);
  write_("columns beside another table", owner_differs);
  write_("least coverage of a name", coverage);
  write_("columns of the table that is said to own them", named_owner_agrees);
  write_("columns of a table that their owner refers to", named_owner_refers);
  write_("columns of another table than their owner", named_owner_differs);
}

// "The name of the song" is song_name rather than name: columns of the same table that are not used, with all words of
// this column and more, all of which are in the question.
int EvidenceCollector::longer_names(ColumnId id) const {
  const auto& column = domain_.column(id);
  const auto& owner = domain_.table(column.table);
  const auto is_asked = [this](const std::string& name_word) {
    return std::any_of(view_.question().words.begin(), view_.question().words.end(), [&](const Word& word) {
      return word.lower == name_word ||
             std::find(word.lemmas.begin(), word.lemmas.end(), name_word) != word.lemmas.end();
    });
  };
  int longer = 0;
  for (auto other = owner.first_column; other < owner.last_column; ++other) {
    const auto& words = domain_.column(other).words;
    if (words.size() <= column.words.size()) continue;
    const bool used = std::any_of(explanation_.uses.begin(), explanation_.uses.end(),
                                  [other](const auto& use) { return use.column == other; });
    const bool contains = std::all_of(column.words.begin(), column.words.end(), [&words](const std::string& word) {
      return std::find(words.begin(), words.end(), word) != words.end();
    });
    if (!used && contains && std::all_of(words.begin(), words.end(), is_asked)) ++longer;
  }
  return longer;
}

bool EvidenceCollector::refers_to(TableId from, TableId to) const {
  const auto& edges = domain_.edges_of(from);
  return std::any_of(edges.begin(), edges.end(), [&](std::size_t number) {
    const auto& edge = domain_.edges()[number];
    return table_of(edge.child) == from && table_of(edge.parent) == to;
  });
}

TableId EvidenceCollector::explicit_owner(WordSpan column) const {
  const auto& words = view_.question().words;
  bool linked = false;
  constexpr std::size_t reach = 9;
  for (auto i = column.last; i < std::min(words.size(), column.last + reach); ++i) {
    if (const auto table = table_at(i, false); linked && table != nothing) return table;
    const auto& word = words[i].lower;
    if (word == "of" || word == "for" || word == "from") {
      linked = true;
    } else if (!is_function_word(words[i]) && (linked || !names_a_column(i))) {
      break;
    }
  }
  if (column.first == 0) return nothing;
  const bool possessive = words[column.first - 1].lower == "'s" && column.first >= 2;
  return table_at(column.first - (possessive ? 2 : 1), true);
}

TableId EvidenceCollector::table_at(std::size_t word, bool ends) const {
  for (TableId table = 0; table < static_cast<TableId>(domain_.tables().size()); ++table)
    for (const auto& mention : view_.linking().tables[static_cast<std::size_t>(table)])
      if (mention.whole() && (ends ? mention.span.last == word + 1 : mention.span.first == word)) return table;
  return nothing;
}

bool EvidenceCollector::names_a_column(std::size_t word) const {
  return std::any_of(explanation_.uses.begin(), explanation_.uses.end(), [&](const auto& use) {
    return use.column != nothing && use.mention != nullptr && use.mention->span.contains({word, word + 1});
  });
}

}  // namespace trustsql::semparse
