// Whether a candidate returns what the question asks for.

#include <algorithm>

#include "semparse/evidence_collector.hpp"
#include "semparse/question_cues.hpp"

namespace trustsql::semparse {

void EvidenceCollector::answer() {
  // "The longest tracks" are not their lengths.
  int operators = 0;
  int full_names = 0;
  std::vector<ColumnId> selected;
  for (const auto& part : draft_.select)
    for (const auto column : part) {
      selected.push_back(column);
      if (const auto* mention = mention_of(column); mention != nullptr && names_only_an_operator(*mention)) ++operators;
      full_names += domain_.table(table_of(column)).surname == column ? 1 : 0;
    }
  // "Which singers ..." asks for what names a singer: 2 if that is all that is returned.
  float names_rows = unknown;
  if (const auto table = asked_table(); table != nothing && domain_.table(table).display != nothing) {
    std::vector<ColumnId> names = {domain_.table(table).display};
    const bool has_display = std::find(selected.begin(), selected.end(), names.front()) != selected.end();
    const bool plain = candidate_.tree.block.select.size() == selected.size() &&
                       std::all_of(skeleton_.select.begin(), skeleton_.select.end(),
                                   [](const SelectPart& part) { return part.aggregate == Aggregate::none; });
    bool only_names = plain && selected == names;
    names.push_back(domain_.table(table).surname);
    only_names |= plain && selected == names;
    names_rows = only_names ? 2.0F : has_display ? 1.0F : 0.0F;
  }
  const auto& joins = candidate_.tree.block.joins;
  int chosen = 0;
  for (const auto edge : joins) {
    const auto is_used = [&](ColumnId column) {
      return std::binary_search(explanation_.tables.begin(), explanation_.tables.end(), table_of(column));
    };
    chosen += is_used(domain_.edges()[edge].child) && is_used(domain_.edges()[edge].parent) ? 1 : 0;
  }
  write_("selected columns that only an operator names", operators);
  write_("selected names of people with first and last name", full_names);
  write_("what names the asked rows is returned", names_rows);
  write_("joins that the question chooses", chosen);
}

bool EvidenceCollector::names_only_an_operator(const Mention& mention) const {
  for (auto i = mention.span.first; i < mention.span.last; ++i) {
    if (is_function_word(view_.question().words[i])) continue;
    const bool compared = std::any_of(question_.cues.begin(), question_.cues.end(), [i](const CueMention& each) {
      return (each.cue == Cue::more || each.cue == Cue::less) && each.span.contains({i, i + 1});
    });
    if (!compared && !is_superlative_word(view_.question(), i)) return false;
  }
  return true;
}

// The table that the question names first.
TableId EvidenceCollector::asked_table() const {
  TableId first = nothing;
  std::size_t place = view_.question().words.size();
  for (TableId table = 0; table < static_cast<TableId>(domain_.tables().size()); ++table)
    for (const auto& mention : view_.linking().tables[static_cast<std::size_t>(table)]) {
      if (!mention.whole() || mention.span.first >= place) continue;
      place = mention.span.first;
      first = table;
    }
  return first;
}

}  // namespace trustsql::semparse
