// Whether a candidate returns what the question asks for.

#include <algorithm>

#include "base/text.hpp"
#include "semparse/candidates/list_fit.hpp"
#include "semparse/evidence/evidence_collector.hpp"
#include "semparse/question/asked_rows.hpp"
#include "semparse/question/question_cues.hpp"

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
  const auto table = asked_table(view_);
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
  write_("what names the asked rows is returned", table == nothing ? unknown : names_asked_rows(table, selected));
  write_("rows are asked for", table != nothing && asks_for_rows(view_, table));
  write_("unused values in small letters", unused_small_values());
  write_("joins that the question chooses", chosen);
}

// "Which singers ..." asks for what names a singer: 2 if that is all that is returned, and 1 if it is a part of it.
// Rows that nothing names are given by their key, or as a whole.
float EvidenceCollector::names_asked_rows(TableId table, const std::vector<ColumnId>& selected) const {
  const auto& asked = domain_.table(table);
  const auto& select = candidate_.tree.block.select;
  const bool whole = select.size() == 1 && select.front().aggregate == Aggregate::none &&
                     select.front().column == nothing && select.front().table == table;
  if (whole) return asked.display == nothing ? 2.0F : 1.0F;
  const bool plain = select.size() == selected.size() &&
                     std::all_of(skeleton_.select.begin(), skeleton_.select.end(),
                                 [](const SelectPart& part) { return part.aggregate == Aggregate::none; });
  std::vector<ColumnId> names = {asked.display == nothing ? asked.key : asked.display};
  if (names.front() == nothing) return unknown;
  const bool has_name = std::find(selected.begin(), selected.end(), names.front()) != selected.end();
  bool only_names = plain && selected == names;
  names.push_back(asked.surname);
  only_names |= plain && selected == names;
  return only_names ? 2.0F : has_name ? 1.0F : 0.0F;
}

// "The title and page count of the books": whether that is what is returned.
void EvidenceCollector::list() {
  const auto& list = question_.list;
  const auto fit = list ? list_fit(view_, *list, draft_) : ListFit{};
  write_("items listed", list ? static_cast<float>(list->items.size()) : unknown);
  write_("items listed, and no more", list ? static_cast<float>(list->complete) : unknown);
  write_("listed items that are not returned",
         list ? static_cast<float>(list->items.size()) - static_cast<float>(fit.returned) : unknown);
  write_("returned, and not listed", list ? static_cast<float>(fit.others) : unknown);
  write_("listed items of several tables", list ? static_cast<float>(fit.mixes_tables) : unknown);
}

int EvidenceCollector::unused_small_values() const {
  int unused = 0;
  for (std::size_t i = 0; i < draft_.uses.size(); ++i) {
    const auto* value = view_.literals()[i].value;
    if (draft_.uses[i] != LiteralUse::unused || value == nullptr || value->is_name || value->quoted ||
        value->capitalised)
      continue;
    unused += std::any_of(value->cells.begin(), value->cells.end(),
                          [value](const ValueIndex::Cell& cell) { return equals_ignore_case(cell.text, value->text); });
  }
  return unused;
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

}  // namespace trustsql::semparse
