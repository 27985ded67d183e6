// Whether a query returns what names the rows that are asked for: names, and not numbers that stand for them.

#include <algorithm>
#include <string_view>

#include "semparse/candidates/licence.hpp"
#include "semparse/candidates/list_fit.hpp"
#include "semparse/question/extremes.hpp"
#include "semparse/question/gradable.hpp"
#include "semparse/question/question_cues.hpp"
#include "semparse/words/word_list.hpp"

namespace trustsql::semparse {

namespace {

// Whether the column holds amounts, and no numbers that identify something.
bool is_plain_amount(const DomainColumn& column) {
  return column.kind == DataKind::number && !column.is_id && !column.is_key && !column.is_foreign;
}

}  // namespace

// "Who directed ...?" and a column "director".
bool Licence::begins_like_word(const DomainColumn& column) const {
  constexpr std::size_t common = 5;
  const auto& words = view_.question().words;
  return std::any_of(words.begin(), words.end(), [&column](const Word& word) {
    return word.lower.size() >= common && !word.quoted &&
           std::any_of(column.all_words.begin(), column.all_words.end(), [&word](const std::string& part) {
             return part.substr(0, common) == word.lower.substr(0, common);
           });
  });
}

bool Licence::may_give_people(const Draft& draft) const {
  if (!asks_who_) return true;
  bool only_amounts = true;
  bool names_someone = false;
  for (std::size_t i = 0; i < draft.select.size(); ++i) {
    const auto aggregate = draft.skeleton->select[i].aggregate;
    if ((aggregate == Aggregate::min || aggregate == Aggregate::max) && draft.select.size() == 1) return false;
    if (aggregate != Aggregate::none) return true;
    if (draft.skeleton->select[i].rows) return true;
    for (const auto id : draft.select[i]) {
      const auto& column = view_.domain().column(id);
      const auto* mention = view_.column_mention(id);
      const bool extreme = draft.order.column == id && draft.skeleton->limit != LimitKind::none;
      const bool named = mention != nullptr && mention->whole() && !extreme;
      only_amounts &= (column.kind == DataKind::date || is_plain_amount(column)) && !named;
      names_someone |= (mention != nullptr && mention->coverage > 0.4F) || begins_like_word(column) || column.is_id ||
                       column.is_key || view_.domain().is_display(id) || is_listed(column.all_words, "name");
    }
  }
  return !only_amounts && names_someone;
}

// What names a row of the asked table: its name, its key, or a reference to it; and the names of other tables that
// "and" adds.
bool Licence::names_asked_row(ColumnId id) const {
  const auto& domain = view_.domain();
  const auto& column = domain.column(id);
  if (column.table == asked_rows_)
    return domain.is_display(id) || column.is_key || (column.is_id && !column.is_foreign);
  for (const auto number : domain.edges_of(asked_rows_))
    if (domain.edges()[number].child == id && domain.column(domain.edges()[number].parent).table == asked_rows_)
      return true;
  const auto& words = view_.question().words;
  const auto& mentions = view_.linking().tables[static_cast<std::size_t>(column.table)];
  return domain.is_display(id) && std::any_of(mentions.begin(), mentions.end(), [&words](const Mention& mention) {
           for (auto i = mention.span.first; i > 0 && mention.span.first - i < 3; --i)
             if (words[i - 1].lower == "and" || words[i - 1].lower == "," || words[i - 1].lower == "with") return true;
           return false;
         });
}

std::ptrdiff_t Licence::times_named(const Draft& draft, ColumnId column) const {
  constexpr float named_from = 0.5F;  // coverage
  const auto& mentions = view_.linking().columns[static_cast<std::size_t>(column)];
  return std::count_if(mentions.begin(), mentions.end(), [&](const Mention& mention) {
    if (mention.coverage < named_from) return false;
    // "Above the average price" says what is compared, and not what is returned.
    for (const auto& cue : cues_)
      if (cue.cue == Cue::than_average && mention.span.first >= cue.span.first && mention.span.first <= cue.span.last)
        return false;
    for (std::size_t i = 0; i < draft.uses.size(); ++i)
      if (draft.uses[i] != LiteralUse::unused && view_.literals()[i].value != nullptr &&
          view_.literals()[i].span.contains(mention.span))
        return false;
    return true;
  });
}

// Whether an adjective speaks of the column, so that its name is free to be asked for: "the prices of the five most
// expensive".
bool Licence::is_graded_by_word(ColumnId id) const {
  const auto& words = view_.question().words;
  for (std::size_t i = 0; i < words.size(); ++i)
    if (const auto* graded = graded_at(view_.question(), i);
        graded != nullptr && measures(*graded, view_.domain().column(id)))
      return true;
  return false;
}

bool Licence::returns_asked_rows(const Draft& draft, const Tree& tree) const {
  if (asked_rows_ == nothing || (draft.group != nothing && has(Cue::each))) return true;
  const auto extremes = extremes_of(tree.block);
  for (std::size_t part = 0; part < draft.select.size(); ++part) {
    if (draft.skeleton->select[part].aggregate != Aggregate::none) continue;
    for (const auto id : draft.select[part]) {
      if (names_asked_row(id) || lists_column(id)) continue;
      const auto named = times_named(draft, id);
      if (named == 0) return false;
      bool compared = std::any_of(extremes.begin(), extremes.end(),
                                  [id](const TreeExtreme& extreme) { return extreme.column == id; });
      compared |= draft.skeleton->subquery == SubqueryKind::aggregate && draft.outer_column == id;
      for (std::size_t i = 0; i < draft.uses.size(); ++i)
        compared |= draft.uses[i] == LiteralUse::where && draft.literal_columns[i] == id;
      if (compared && named < 2 && !is_graded_by_word(id)) return false;
    }
  }
  return true;
}

bool Licence::returns_pairs(const Draft& draft) const {
  constexpr std::string_view openings[] = {"and", "with", ","};
  const auto& words = view_.question().words;
  const auto selects = [&draft](ColumnId column) {
    return std::any_of(draft.select.begin(), draft.select.end(), [column](const std::vector<ColumnId>& part) {
      return std::find(part.begin(), part.end(), column) != part.end();
    });
  };
  for (std::size_t at = 1; at + 1 < words.size(); ++at) {
    if ((words[at].lower != "their" && words[at].lower != "its") || !is_listed(openings, words[at - 1].lower)) continue;
    bool named = false;
    bool returned = false;
    for (ColumnId id = 0; id < static_cast<ColumnId>(view_.domain().columns().size()); ++id)
      for (const auto& mention : view_.linking().columns[static_cast<std::size_t>(id)]) {
        if (!mention.whole() || mention.span.first != at + 1) continue;
        named = true;
        returned |= selects(id);
      }
    if (named && !returned) return false;
    for (TableId table = 0; named && table < static_cast<TableId>(view_.domain().tables().size()); ++table) {
      const auto display = view_.domain().table(table).display;
      for (const auto& mention : view_.linking().tables[static_cast<std::size_t>(table)])
        if (mention.whole() && mention.span.last + 1 == at && display != nothing && !selects(display) &&
            view_.domain().column(display).table == table && first_name_at_ == mention.span.first)
          return false;
    }
  }
  return true;
}

// Whether the question lists the column among what is to be returned.
bool Licence::lists_column(ColumnId column) const {
  return list_ && std::any_of(list_->items.begin(), list_->items.end(),
                              [column](const AnswerItem& item) { return is_listed_column(item, column); });
}

bool Licence::returns_list(const Draft& draft) const {
  return !list_ || list_fit(view_, *list_, draft).is_whole(*list_);
}

bool Licence::groups_by_part_of_name(const Draft& draft) const {
  if (draft.group == nothing) return false;
  const auto& table = view_.domain().table(view_.domain().column(draft.group).table);
  if (table.surname == nothing || (draft.group != table.display && draft.group != table.surname)) return false;
  return std::any_of(draft.select.begin(), draft.select.end(),
                     [&](const std::vector<ColumnId>& part) { return view_.domain().full_names(part) > 0; });
}

bool Licence::gives_references(const Draft& draft) const {
  if (ids_) return false;
  const auto& domain = view_.domain();
  const auto stands_for_name = [&](ColumnId column) {
    if (is_listed(domain.column(column).all_words, "name")) return false;
    const auto* named = view_.column_mention(column);
    // "The deputies of the branches" are people, and no numbers in deputy_id.
    const auto& words = domain.column(column).words;
    const bool names_role = named != nullptr && words.size() > 1 && is_identifier_word(words.back()) &&
                            !named->spelled_out() && named->weakest >= WordMatch::abbreviation;
    return std::any_of(domain.edges().begin(), domain.edges().end(), [&](const JoinEdge& edge) {
      const auto parent = domain.column(edge.parent).table;
      const auto* mention = edge.child == column ? view_.table_mention(parent) : nullptr;
      const auto display = domain.table(parent).display;
      if (edge.child != column || display == nothing || display == edge.parent) return false;
      if (names_role) return true;
      if (mention == nullptr || !mention->whole()) return false;
      return naming(named) < 4 || named->span == mention->span;
    });
  };
  return std::any_of(draft.select.begin(), draft.select.end(), [&](const std::vector<ColumnId>& part) {
    return &part - draft.select.data() < static_cast<std::ptrdiff_t>(draft.skeleton->select.size()) &&
           draft.skeleton->select[static_cast<std::size_t>(&part - draft.select.data())].aggregate == Aggregate::none &&
           std::any_of(part.begin(), part.end(), stands_for_name);
  });
}

bool Licence::gives_other_names(const Draft& draft) const {
  const auto& domain = view_.domain();
  const auto& words = view_.question().words;
  // "Most recently hired".
  const auto describes = [&](std::size_t i) {
    return view_.kind(i) != Symbol::table && (is_superlative_word(view_.question(), i) ||
                                              words[i].lower.ends_with("ed") || words[i].lower.ends_with("ly"));
  };
  // The table that stands behind the name: "names of the employees", "names of all employees".
  const auto owner_behind = [&](const Mention& name) {
    auto at = name.span.last;
    if (at >= words.size() || words[at].lower != "of") return nothing;
    ++at;
    while (at < words.size() && (is_function_word(words[at]) || describes(at))) ++at;
    for (const auto table : at < words.size() ? tables_named_at(at) : std::vector<TableId>())
      if (domain.table(table).display != nothing) return table;
    return nothing;
  };
  // "The name and the year of the song" is the song's name, where a column has that.
  const auto is_another_part = [&](ColumnId id, const Mention& name) {
    const bool listed = list_ && list_->span.contains(name.span);
    const auto parts = names_of_part(view_, name.span, listed ? list_->span.last : name.span.last);
    return !parts.empty() && std::find(parts.begin(), parts.end(), id) == parts.end();
  };
  for (std::size_t part = 0; part < draft.select.size(); ++part) {
    if (draft.skeleton->select[part].aggregate != Aggregate::none) continue;
    for (const auto id : draft.select[part]) {
      const auto& column = domain.column(id);
      const auto* mention = view_.column_mention(id);
      if (mention != nullptr && is_another_part(id, *mention)) return true;
      if (column.all_words.empty() || column.all_words.back() != "name" || mention == nullptr ||
          mention->span.size() != 1 || view_.table_mention(column.table) != nullptr)
        continue;
      const auto owner = owner_behind(*mention);
      if (owner != nothing && owner != column.table) return true;
    }
  }
  return false;
}

bool Licence::gives_keys(const Draft& draft) const {
  constexpr int least_rank = 5;  // of a column that is called a name or a title
  if (ids_) return false;
  const auto& domain = view_.domain();
  for (std::size_t part = 0; part < draft.select.size(); ++part) {
    if (draft.skeleton->select[part].aggregate != Aggregate::none) continue;
    for (const auto id : draft.select[part]) {
      const auto& table = domain.table(domain.column(id).table);
      const auto* mention = view_.table_mention(domain.column(id).table);
      if (table.key == id && !domain.is_display(id) && table.display != nothing && table.display_rank >= least_rank &&
          mention != nullptr && mention->spelled_out() && !names_whole_key(id, *mention))
        return true;
    }
  }
  return false;
}

// Whether the question names the key by more than its table's name.
bool Licence::names_whole_key(ColumnId key, const Mention& table) const {
  const auto& mentions = view_.linking().columns[static_cast<std::size_t>(key)];
  return std::any_of(mentions.begin(), mentions.end(), [&table](const Mention& mention) {
    return mention.coverage > 0.4F && !table.span.contains(mention.span);
  });
}

}  // namespace trustsql::semparse
