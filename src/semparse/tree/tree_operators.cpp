#include "semparse/tree/tree_operators.hpp"

#include <algorithm>
#include <string>
#include <string_view>

#include "semparse/words/spelled_dates.hpp"

namespace trustsql::semparse {

namespace {

void count_term(const Term& term, Operators& found) {
  switch (term.aggregate) {
    case Aggregate::avg: ++found.average; break;
    case Aggregate::sum: ++found.sum; break;
    case Aggregate::count: ++found.count; break;
    case Aggregate::max: ++found.maximum; break;
    case Aggregate::min: ++found.minimum; break;
    case Aggregate::none: break;
  }
  if (term.distinct) ++found.distinct;
}

void count_block(const Block& block, Operators& found);

void count_condition(const Condition& condition, Operators& found) {
  ++found.conditions;
  count_term(condition.term, found);
  switch (condition.comparison) {
    case Comparison::not_equal:
    case Comparison::not_like:
    case Comparison::not_in: ++found.negation; break;
    case Comparison::less:
    case Comparison::less_equal: ++found.less; break;
    case Comparison::greater:
    case Comparison::greater_equal: ++found.greater; break;
    case Comparison::between: ++found.between; break;
    case Comparison::is_null:
    case Comparison::is_not_null: ++found.nulls; break;
    default: break;
  }
  const bool like = condition.comparison == Comparison::like || condition.comparison == Comparison::not_like;
  if (like && !is_of_year(condition)) ++found.like;
  for (const auto& inner : condition.subquery) {
    if (!inner.select.empty() && inner.select.front().aggregate != Aggregate::none) ++found.than_aggregate;
    count_block(inner, found);
  }
}

void count_block(const Block& block, Operators& found) {
  for (const auto& term : block.select) count_term(term, found);
  if (block.distinct) ++found.distinct;
  if (block.any) ++found.any;
  for (const auto& condition : block.where) count_condition(condition, found);
  for (const auto& condition : block.having) {
    count_condition(condition, found);
    ++found.having;
  }
  if (!block.group.empty()) ++found.group;
  for (const auto& order : block.order) {
    count_term(order.term, found);
    if (block.limit)
      ++(order.descending ? found.first_descending : found.first_ascending);
    else
      ++found.order;
    if (order.descending) ++found.order_descending;
  }
  if (block.limit && *block.limit > 1) ++found.limit_number;
}

}  // namespace

bool is_of_year(const Condition& condition) {
  if (condition.values.size() != 1) return false;
  if (condition.comparison != Comparison::like && condition.comparison != Comparison::not_like) return false;
  const auto* text = std::get_if<std::string>(&condition.values.front());
  if (text == nullptr || text->size() < 5 || text->back() != '%') return false;
  const auto time = std::string_view(*text).substr(0, text->size() - 1);
  return is_month_text(time) || is_day_text(time) ||
         (time.size() == 4 && std::all_of(time.begin(), time.end(), [](char c) { return c >= '0' && c <= '9'; }));
}

Operators operators_of(const Tree& tree) {
  Operators found;
  count_block(tree.block, found);
  for (const auto& other : tree.other) count_block(other, found);
  switch (tree.operation) {
    case SetOperation::intersect: ++found.intersect; break;
    case SetOperation::union_: ++found.union_; break;
    case SetOperation::except:
      ++found.except;
      ++found.negation;
      break;
    case SetOperation::none: break;
  }
  return found;
}

}  // namespace trustsql::semparse
