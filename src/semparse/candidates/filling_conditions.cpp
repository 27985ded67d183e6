// The conditions that literals of the question become.

#include <string>
#include <variant>
#include <vector>

#include "base/text.hpp"
#include "semparse/candidates/filling.hpp"
#include "semparse/question/units.hpp"
#include "semparse/words/spelled_dates.hpp"

namespace trustsql::semparse {

// The same condition on years, of a column of dates such as 2026-01-05, which are compared as texts: the year of a date
// is 2026 where it begins with 2026, and after 2025 where it is not before 2026-01-01.
void Filling::compare_years(Condition& condition) const {
  const auto& column = view_.domain().column(condition.term.column);
  std::vector<std::int64_t> years;
  for (const auto& value : condition.values)
    if (const auto* year = std::get_if<std::int64_t>(&value)) years.push_back(*year);
  if (years.empty() || years.size() != condition.values.size()) return;
  const auto start_of = [](std::int64_t year) { return std::to_string(year) + "-01-01"; };
  const auto end = [&column](std::int64_t year) {
    return std::to_string(year) + (column.has_times ? "-12-31 23:59:59" : "-12-31");
  };
  switch (condition.comparison) {
    case Comparison::equal:
    case Comparison::not_equal:
      condition.comparison = condition.comparison == Comparison::equal ? Comparison::like : Comparison::not_like;
      condition.values = {std::to_string(years.front()) + "%"};
      break;
    case Comparison::greater:
      condition.comparison = Comparison::greater_equal;
      condition.values = {start_of(years.front() + 1)};
      break;
    case Comparison::less_equal:
      condition.comparison = Comparison::less;
      condition.values = {start_of(years.front() + 1)};
      break;
    case Comparison::between: condition.values = {start_of(years.front()), end(years.back())}; break;
    default: condition.values = {start_of(years.front())}; break;
  }
}

// The same condition on months, "2024-03", and on days of a column that has times of day as well.
void Filling::compare_dates(Condition& condition) const {
  const auto& column = view_.domain().column(condition.term.column);
  const auto span_of = [&](const Value& value) {
    const auto* text = std::get_if<std::string>(&value);
    return text != nullptr && (is_month_text(*text) || (column.has_times && is_day_text(*text))) ? *text : "";
  };
  const auto start_of = [](const std::string& span) { return is_month_text(span) ? span + "-01" : span; };
  const auto end_of = [&](const std::string& span) {
    return (is_month_text(span) ? span + "-31" : span) + (column.has_times ? " 23:59:59" : "");
  };
  if (condition.comparison == Comparison::between) {
    if (const auto first = span_of(condition.values.front()); !first.empty())
      condition.values.front() = start_of(first);
    if (const auto last = span_of(condition.values.back()); !last.empty()) condition.values.back() = end_of(last);
    return;
  }
  const auto span = condition.values.empty() ? std::string() : span_of(condition.values.front());
  if (span.empty()) return;
  switch (condition.comparison) {
    case Comparison::equal:
    case Comparison::not_equal:
      condition.comparison = condition.comparison == Comparison::equal ? Comparison::like : Comparison::not_like;
      condition.values = {span + "%"};
      break;
    case Comparison::greater:
      condition.comparison = is_month_text(span) ? Comparison::greater_equal : Comparison::greater;
      condition.values = {is_month_text(span) ? next_month(span) : end_of(span)};
      break;
    case Comparison::less_equal:
      condition.comparison = is_month_text(span) ? Comparison::less : Comparison::less_equal;
      condition.values = {is_month_text(span) ? next_month(span) : end_of(span)};
      break;
    default: condition.values = {start_of(span)}; break;
  }
}

// SELECT of a column of the row that the mention names.
Block Filling::named_row(const ValueMention& mention, ColumnId column) {
  Block row;
  row.select.push_back({Aggregate::none, false, column, nothing});
  for (const auto& cell : mention.row)
    row.where.push_back(
        {{Aggregate::none, false, cell.column, nothing}, Comparison::equal, {std::string(cell.text)}, {}});
  return row;
}

Condition Filling::condition_of(const Draft& draft, std::size_t literal, Term term) const {
  const auto& mention = view_.literals()[literal];
  const auto op = draft.operators[literal];
  Condition condition{term, comparison_of(op), {}, {}};
  if (mention.number != nullptr) {
    const double scale = mention.number->scale;
    const bool is_own_scale = scale != 1 && term.column != nothing && term.aggregate == Aggregate::none &&
                              is_scaled(view_.domain().column(term.column), scale);
    const auto add = [&](Value value) {
      // "50 million" is 50 in budget_in_millions.
      if (is_own_scale) {
        if (const auto* integer = std::get_if<std::int64_t>(&value))
          value = number_value(static_cast<double>(*integer) / scale);
        else if (const auto* real = std::get_if<double>(&value))
          value = number_value(*real / scale);
      }
      const bool as_text = !std::holds_alternative<std::string>(value) && term.column != nothing &&
                           term.aggregate == Aggregate::none &&
                           view_.domain().column(term.column).kind == DataKind::text;
      condition.values.push_back(as_text ? Value(format_value(trustsql::view(value))) : value);
    };
    add(mention.number->value);
    if (mention.number->second) add(*mention.number->second);
    if (term.column != nothing && term.aggregate == Aggregate::none && view_.domain().column(term.column).has_iso_dates)
      compare_years(condition);
    if (term.column != nothing && term.aggregate == Aggregate::none && view_.domain().column(term.column).has_iso_dates)
      compare_dates(condition);
    return condition;
  }
  if (mention.value->test == ColumnTest::compared) {
    condition.comparison = mention.value->comparison;
    condition.other = mention.value->compared_with;
    return condition;
  }
  if (mention.value->test == ColumnTest::row) {
    condition.comparison = mention.value->comparison;
    condition.subquery.push_back(named_row(*mention.value, term.column));
    condition.of_others = condition.comparison == Comparison::equal;
    return condition;
  }
  if (mention.value->test != ColumnTest::none) {
    const bool missing = mention.value->test == ColumnTest::missing;
    condition.comparison = missing ? Comparison::is_null : Comparison::is_not_null;
    if (term.column != nothing && view_.domain().column(term.column).has_blanks) condition.values = {std::string()};
    return condition;
  }
  std::string text = mention.value->text;
  if (op < LiteralOperator::contains) {
    const ValueIndex::Cell* best = nullptr;
    for (const auto& cell : mention.value->cells)
      if (cell.column == term.column && (best == nullptr || cell.text == text)) best = &cell;
    if (best != nullptr) text = best->text;
  } else {
    if (op != LiteralOperator::starts_with) text.insert(0, "%");
    if (op != LiteralOperator::ends_with) text += '%';
  }
  // A flag, 1 for yes and 0 for no.
  const auto kind = term.column == nothing ? DataKind::text : view_.domain().column(term.column).kind;
  const bool number = kind == DataKind::number || (kind == DataKind::boolean && view_.domain().column(term.column).max);
  if (number && (text == "1" || (text == "0" && mention.value->is_derived)))
    condition.values.emplace_back(std::int64_t{text == "1"});
  else
    condition.values.emplace_back(std::move(text));
  return condition;
}

}  // namespace trustsql::semparse
