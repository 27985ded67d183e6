// What the values and numbers of a question may be compared with.

#include <algorithm>
#include <string_view>

#include "semparse/candidates/licence.hpp"
#include "semparse/question/asked_times.hpp"
#include "semparse/question/extremes.hpp"
#include "semparse/question/question_cues.hpp"
#include "semparse/words/word_list.hpp"

namespace trustsql::semparse {

namespace {

constexpr std::string_view start_words[] = {"origin", "source", "from", "departure", "sender", "start", "depart"};
constexpr std::string_view end_words[] = {"destination", "target", "to", "arrival", "receiver", "recipient", "arrive"};

bool is_ordered(LiteralOperator op) { return op >= LiteralOperator::less && op <= LiteralOperator::between; }

template <class List>
bool has_word_of(const DomainColumn& column, const List& list) {
  return std::any_of(column.all_words.begin(), column.all_words.end(),
                     [&list](const std::string& word) { return is_listed(list, word); });
}

}  // namespace

// "8 am", "5 o'clock", "10:30".
bool Licence::is_time_of_day(WordSpan number) const {
  constexpr std::string_view hours[] = {"am", "pm", "a.m.", "p.m.", "o'clock", "oclock", "noon"};
  const auto& words = view_.question().words;
  if (number.last >= words.size()) return false;
  const auto& next = words[number.last];
  if (is_listed(hours, next.lower)) return true;
  const auto follows = [&](std::string_view sign, std::string_view letter) {
    return number.last + 2 < words.size() && next.lower == sign && words[number.last + 1].lower == letter;
  };
  return follows("o", "'") || follows("a", ".") || follows("p", ".") ||
         (next.lower == ":" && number.last + 1 < words.size() && words[number.last + 1].number);
}

// "Twice", "three times".
bool Licence::says_how_often(WordSpan number) const {
  constexpr std::string_view often[] = {"once", "twice", "thrice"};
  return is_listed(often, view_.question().words[number.first].lower);
}

// How a number is compared that stands behind the name of what it is compared with: "above floor 1", "over the age of
// 30".
Bound Licence::bound_before_name(WordSpan number, ColumnId column) const {
  const auto& words = view_.question().words;
  auto end = number.first;
  while (end > 0 && (words[end - 1].lower == "of" || words[end - 1].lower == "number")) --end;
  for (const auto& mention : view_.linking().columns[static_cast<std::size_t>(column)]) {
    if (mention.span.last != end || mention.span.first == 0) continue;
    auto first = mention.span.first;
    while (first > 0 && (words[first - 1].lower == "the" || words[first - 1].lower == "a")) --first;
    const auto bound = bound_of(view_.question(), {first, number.last});
    if (bound != Bound::none) return bound;
  }
  return Bound::none;
}

// Whether a number is compared with something that the words beside it exclude: keys, which nobody puts in an order;
// "more than one animal", which is a number of animals; a time of day.
bool Licence::misplaces_number(const Draft& draft) const {
  const auto& domain = view_.domain();
  for (std::size_t i = 0; i < draft.uses.size(); ++i) {
    const auto& literal = view_.literals()[i];
    if (draft.uses[i] == LiteralUse::unused || literal.number == nullptr) continue;
    if (!literal.number->spelled && is_time_of_day(literal.span)) return true;
    const bool counts_rows = draft.uses[i] == LiteralUse::having && draft.having.aggregate == Aggregate::count;
    if (says_how_often(literal.span) && !counts_rows) return true;
    if (draft.uses[i] != LiteralUse::where || draft.literal_columns[i] == nothing) continue;
    const auto& column = domain.column(draft.literal_columns[i]);
    if (is_ordered(draft.operators[i]) && (column.is_id || column.is_foreign) && column.kind == DataKind::number &&
        !ids_ && naming(view_.column_mention(draft.literal_columns[i])) < 4)
      return true;
    if (literal.number->spelled || literal.number->second) continue;
    const auto counted = tables_named_at(literal.span.last);
    if (counted.empty() || column.kind != DataKind::number) continue;
    const auto& mentions = view_.linking().columns[static_cast<std::size_t>(draft.literal_columns[i])];
    const bool is_named = std::any_of(mentions.begin(), mentions.end(), [&literal](const Mention& mention) {
      return mention.span.first >= literal.span.last || mention.span.last + 3 > literal.span.first;
    });
    if (!is_named) return true;
  }
  return false;
}

// "From Spain" is no destination, "to Rome" no origin.
bool Licence::contradicts_direction(const Draft& draft) const {
  const auto& words = view_.question().words;
  for (std::size_t i = 0; i < draft.uses.size(); ++i) {
    const auto& literal = view_.literals()[i];
    if (draft.uses[i] == LiteralUse::unused || literal.value == nullptr || draft.literal_columns[i] == nothing ||
        literal.span.first == 0)
      continue;
    const auto& column = view_.domain().column(draft.literal_columns[i]);
    const auto& before = words[literal.span.first - 1].lower;
    const bool starts = has_word_of(column, start_words);
    const bool ends = has_word_of(column, end_words);
    if ((before == "from" && ends && !starts) || ((before == "to" || before == "into") && starts && !ends)) return true;
  }
  return false;
}

// Rows without a row of another table are not told apart by their own values: what "not active" says of a subscription
// is no subquery for calls.
bool Licence::lacks_rows_by_own_value(const Draft& draft) const {
  if (draft.skeleton->subquery != SubqueryKind::missing) return false;
  const auto outer = view_.domain().column(draft.outer_column).table;
  for (std::size_t i = 0; i < draft.uses.size(); ++i)
    if (draft.uses[i] == LiteralUse::subquery && draft.literal_columns[i] != nothing &&
        view_.domain().column(draft.literal_columns[i]).table == outer)
      return true;
  return false;
}

// "The objects by Monet and Rembrandt" are those of either, since an object has one artist: what a row refers to has
// one value, and what names the row belongs to no other.
bool Licence::intersects_single_values(const Draft& draft) const {
  if (draft.skeleton->operation != SetOperation::intersect || has(Cue::both)) return false;
  const auto& domain = view_.domain();
  if (draft.select.empty() || draft.select.front().size() != 1) return false;
  const auto selected = draft.select.front().front();
  const auto table = domain.column(selected).table;
  if (selected != domain.table(table).key && !domain.is_display(selected)) return false;
  std::vector<TableId> determined = {table};
  for (std::size_t i = 0; i < determined.size(); ++i)
    for (const auto number : domain.edges_of(determined[i])) {
      const auto& edge = domain.edges()[number];
      const auto parent = domain.column(edge.parent).table;
      if (domain.column(edge.child).table == determined[i] &&
          std::find(determined.begin(), determined.end(), parent) == determined.end())
        determined.push_back(parent);
    }
  ColumnId first = nothing;
  for (std::size_t i = 0; i < draft.uses.size(); ++i) {
    if (draft.uses[i] != LiteralUse::where && draft.uses[i] != LiteralUse::other) continue;
    const auto column = draft.literal_columns[i];
    if (view_.literals()[i].value == nullptr || draft.operators[i] != LiteralOperator::equal ||
        (first != nothing && column != first) ||
        std::find(determined.begin(), determined.end(), domain.column(column).table) == determined.end())
      return false;
    first = column;
  }
  return first != nothing;
}

// "Customers over 65" says nothing of loyalty points, "older than 30" nothing of years of experience, "after 2015"
// nothing of prices: the bound of an amount stands beside a word for the amount.
bool Licence::compares_unnamed_amount(const Draft& draft) const {
  constexpr std::string_view temporal[] = {"after", "before", "since", "until"};
  const auto& words = view_.question().words;
  for (std::size_t i = 0; i < draft.uses.size(); ++i) {
    const auto& literal = view_.literals()[i];
    const auto id = draft.literal_columns[i];
    if (draft.uses[i] != LiteralUse::where || literal.number == nullptr || id == nothing) continue;
    const auto& column = view_.domain().column(id);
    if (column.kind != DataKind::number || is_point_in_time(column)) continue;
    const auto bound = bound_of(view_.question(), literal.span);
    if (bound == Bound::none) continue;
    const auto before =
        literal.span.first > 0 ? std::string_view(words[literal.span.first - 1].lower) : std::string_view();
    const auto* year = std::get_if<std::int64_t>(&literal.number->value);
    const bool may_be_year = year != nullptr && *year >= first_plain_year && *year <= last_plain_year;
    const bool holds_years = column.min && *column.min >= 1000 && column.max && *column.max <= 2999;
    if (is_listed(temporal, before) && may_be_year && !holds_years) return true;
    const bool compares_age =
        before == "than" && literal.span.first >= 2 &&
        (words[literal.span.first - 2].lower == "older" || words[literal.span.first - 2].lower == "younger");
    if (compares_age && !is_listed(column.all_words, "age")) return true;
    if (view_.column_mention(id) == nullptr) return true;
  }
  return false;
}

// "Ends with s", "contain": a condition on the letters of a text is no condition on nothing.
bool Licence::searches_nothing(const Tree& tree) const {
  if (!has(Cue::pattern)) return false;
  const auto is_pattern = [](const Condition& condition) {
    return condition.comparison == Comparison::like || condition.comparison == Comparison::not_like;
  };
  const auto has_conditions = [&](const Block& block) {
    return !block.where.empty() && (std::any_of(block.where.begin(), block.where.end(), is_pattern) ||
                                    !block.where.front().values.empty() || !block.where.front().subquery.empty());
  };
  return !has_conditions(tree.block) && std::none_of(tree.other.begin(), tree.other.end(), has_conditions) &&
         tree.block.having.empty();
}

// Employees who are not managers are not those without a training: what a row lacks is named.
bool Licence::lacks_rows_nobody_names(const Draft& draft) const {
  if (draft.skeleton->subquery != SubqueryKind::missing || draft.skeleton->subquery_literals) return false;
  const auto table = view_.domain().column(draft.inner_column).table;
  return view_.table_mention(table) == nullptr && view_.column_mention(draft.inner_column) == nullptr;
}

// "More than 5 but less than 10" bounds one amount on both sides; nothing is left out.
bool Licence::excludes_other_bound(const Draft& draft) const {
  if (draft.skeleton->operation != SetOperation::except || strict_negation_) return false;
  for (std::size_t i = 0; i < draft.uses.size(); ++i)
    for (std::size_t j = 0; j < draft.uses.size(); ++j)
      if (draft.uses[i] == LiteralUse::where && draft.uses[j] == LiteralUse::other &&
          view_.literals()[i].number != nullptr && view_.literals()[j].number != nullptr &&
          draft.literal_columns[i] == draft.literal_columns[j])
        return true;
  return false;
}

// 50 million is no bound of a budget in millions that is at most 900.
bool Licence::contradicts_scale(const Draft& draft) const {
  constexpr std::pair<std::string_view, double> scales[] = {{"million", 1e6}, {"thousand", 1e3}, {"billion", 1e9}};
  for (std::size_t i = 0; i < draft.uses.size(); ++i) {
    const auto& literal = view_.literals()[i];
    if (draft.uses[i] != LiteralUse::where || literal.number == nullptr || draft.literal_columns[i] == nothing ||
        literal.number->scale != 1)
      continue;
    const auto* number = std::get_if<std::int64_t>(&literal.number->value);
    const auto& column = view_.domain().column(draft.literal_columns[i]);
    for (const auto& [word, scale] : scales)
      if (number != nullptr && static_cast<double>(*number) >= scale && is_listed(column.all_words, word)) return true;
  }
  return false;
}

// "Type O" is neither 'O+' nor 'O-'.
bool Licence::adds_sign(const Draft& draft) const {
  for (std::size_t i = 0; i < draft.uses.size(); ++i) {
    const auto* value = view_.literals()[i].value;
    if (draft.uses[i] == LiteralUse::unused || value == nullptr || draft.operators[i] >= LiteralOperator::contains ||
        value->is_derived || value->text.empty())
      continue;
    for (const auto& cell : value->cells)
      if (cell.column == draft.literal_columns[i] && !cell.text.empty() &&
          (cell.text.back() == '+' || cell.text.back() == '-') && value->text.back() != cell.text.back())
        return true;
  }
  return false;
}

}  // namespace trustsql::semparse
