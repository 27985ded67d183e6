// The rules of grounding on columns and tables.

#include <algorithm>

#include "base/text.hpp"
#include "semparse/grounding/grounder.hpp"

namespace trustsql::semparse {

namespace {

// Columns that any table may have; a mention of theirs alone names none.
constexpr std::string_view generic_names[] = {"id",    "name",        "number", "code",  "type",  "detail", "text",
                                              "value", "description", "date",   "count", "total", "order"};

bool is_generic(const std::vector<std::string>& words) {
  return std::all_of(words.begin(), words.end(), [](const std::string& word) {
    return std::find(std::begin(generic_names), std::end(generic_names), word) != std::end(generic_names);
  });
}

}  // namespace

bool Grounder::is_spoken_for(WordSpan span) const {
  for (auto i = span.first; i < span.last; ++i)
    if (used_[i] && !is_function_word(question_.words[i])) return true;
  return false;
}

bool Grounder::says_name(WordSpan span, const std::vector<std::string>& name) const {
  for (auto i = span.first; i < span.last; ++i) {
    const auto& word = question_.words[i];
    if (is_function_word(word)) continue;
    if (is_operator_word(question_, i)) return false;
    const bool same = std::any_of(name.begin(), name.end(), [&](const std::string& part) {
      return word.lower == part ||
             (word.lower.ends_with("s") && word.lower.starts_with(part.substr(0, part.size() - 1)));
    });
    if (!same) return false;
  }
  return true;
}

bool Grounder::is_settled(WordSpan span) const {
  const bool compound = span.first > 0 && used_[span.first - 1] && !is_function_word(question_.words[span.first - 1]);
  return compound || is_spoken_for(span) || is_value(span);
}

bool Grounder::is_adjacent(TableId table) const {
  return std::any_of(domain_.edges().begin(), domain_.edges().end(), [&](const JoinEdge& edge) {
    const auto child = domain_.column(edge.child).table;
    const auto parent = domain_.column(edge.parent).table;
    return (child == table && leaves_.uses_table(parent)) || (parent == table && leaves_.uses_table(child));
  });
}

void Grounder::check_mentions() {
  for (ColumnId id = 0; id < static_cast<ColumnId>(domain_.columns().size()); ++id) {
    const auto& mentions = linking_.columns[static_cast<std::size_t>(id)];
    if (mentions.empty() || !mentions.front().whole() || is_used(id)) continue;
    const auto& column = domain_.column(id);
    const auto span = mentions.front().span;
    // Such columns name the rows themselves: "players" for a column "player".
    if (column.is_id || domain_.table(column.table).display == id || is_generic(column.words)) continue;
    if (is_settled(span) || !says_name(span, column.words)) continue;
    add(GroundingRule::column_unused,
        quote_for_message(question_.text_of(span), shown) + " names " + name_of(id) + ", which the query does not use");
    break;
  }
  for (TableId id = 0; id < static_cast<TableId>(domain_.tables().size()); ++id) {
    const auto& mentions = linking_.tables[static_cast<std::size_t>(id)];
    if (mentions.empty() || !mentions.front().whole() || leaves_.uses_table(id) || is_adjacent(id)) continue;
    const auto span = mentions.front().span;
    if (is_generic(domain_.table(id).words) || is_settled(span) || !says_name(span, domain_.table(id).words)) continue;
    add(GroundingRule::table_unused, quote_for_message(question_.text_of(span), shown) + " names " +
                                         quote_for_message(domain_.table(id).name, shown) +
                                         ", which the query does not use");
    break;
  }
  if (!names_shared_) add(GroundingRule::nothing_shared, "the query uses nothing that the question names");
}

bool Grounder::is_value(WordSpan span) const {
  return std::any_of(linking_.values.begin(), linking_.values.end(),
                     [&](const ValueMention& value) { return !value.is_name && value.span.overlaps(span); });
}

const Mention* Grounder::best_mention(ColumnId id) const {
  const auto& mentions = linking_.columns[static_cast<std::size_t>(id)];
  return mentions.empty() ? nullptr : &mentions.front();
}

void Grounder::check_selected() {
  if (leaves_.select.size() < 2 || leaves_.star) return;
  std::size_t named = 0;
  ColumnId unnamed = nothing;
  for (const auto& leaf : leaves_.select) {
    if (!leaf.plain || leaf.column == nothing) continue;
    const auto* mention = best_mention(leaf.column);
    const auto& column = domain_.column(leaf.column);
    const bool display = domain_.table(column.table).display == leaf.column;
    if (mention != nullptr && mention->coverage >= part_of_name)
      ++named;
    else if (mention == nullptr && !display && !column.is_id && leaf.aggregate == Aggregate::none)
      unnamed = leaf.column;
  }
  if (named > 0 && unnamed != nothing)
    add(GroundingRule::select_unlicensed, "the question does not ask for " + name_of(unnamed));
}

}  // namespace trustsql::semparse
