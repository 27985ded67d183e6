// The conditions that literals of the question become.

#include <string>
#include <variant>
#include <vector>

#include "base/text.hpp"
#include "semparse/filling.hpp"

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

Condition Filling::condition_of(const Draft& draft, std::size_t literal, Term term) const {
  const auto& mention = view_.literals()[literal];
  const auto op = draft.operators[literal];
  Condition condition{term, comparison_of(op), {}, {}};
  if (mention.number != nullptr) {
    const auto add = [&](const Value& value) {
      const bool as_text = !std::holds_alternative<std::string>(value) && term.column != nothing &&
                           term.aggregate == Aggregate::none &&
                           view_.domain().column(term.column).kind == DataKind::text;
      condition.values.push_back(as_text ? Value(format_value(trustsql::view(value))) : value);
    };
    add(mention.number->value);
    if (mention.number->second) add(*mention.number->second);
    if (term.column != nothing && term.aggregate == Aggregate::none && view_.domain().column(term.column).has_iso_dates)
      compare_years(condition);
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
  condition.values.emplace_back(std::move(text));
  return condition;
}

}  // namespace trustsql::semparse
