#include "plan/rules/numbered_rows_to_limit.hpp"

#include <algorithm>
#include <limits>

#include "plan/rules/cluster.hpp"
#include "plan/rules/common.hpp"
#include "plan/rules/partitions.hpp"

namespace trustsql::plan::rules {

namespace {

// Numbers of rows, from 1 on.
struct NumberRange {
  std::int64_t first = 1;
  std::int64_t last = std::numeric_limits<std::int64_t>::max();
};

// Narrows the range to the numbers `number` for which the condition is true; false if it is no bound of integers.
bool narrow(NumberRange& range, const Expr& condition, AttributeId number) {
  constexpr std::int64_t most = std::int64_t{1} << 53U;
  const auto bound = as_bound(condition);
  const auto* id = bound ? column_id(*bound->operand) : nullptr;
  const auto* value = id != nullptr && *id == number ? std::get_if<std::int64_t>(bound->value) : nullptr;
  if (value == nullptr || *value < -most || *value > most) return false;
  switch (bound->op) {
    case CompareOp::equal:
      range.first = std::max(range.first, *value);
      range.last = std::min(range.last, *value);
      return true;
    case CompareOp::less: range.last = std::min(range.last, *value - 1); return true;
    case CompareOp::less_equal: range.last = std::min(range.last, *value); return true;
    case CompareOp::greater: range.first = std::max(range.first, *value + 1); return true;
    case CompareOp::greater_equal: range.first = std::max(range.first, *value); return true;
    default: return false;
  }
}

bool turn_numbers_into_limit(Rel& rel, const Usage& usage, RuleContext& context) {
  auto* filter = rel.as<Filter>();
  auto* window = filter->input->as<Window>();
  if (window == nullptr || window->calls.size() != 1 || usage.positional) return false;
  auto& call = window->calls.front();
  if (call.name != "row_number" || call.info == nullptr || call.filter || !call.partition_by.empty() ||
      call.order_by.empty() || usage.needed.contains(call.id))
    return false;
  NumberRange range;
  std::vector<Expr> others;
  for (const auto& conjunct : filter->conjuncts) {
    if (!references(conjunct).contains(call.id))
      others.push_back(conjunct);
    else if (!narrow(range, conjunct, call.id))
      return false;
  }
  const bool of_value = range.last == 1 && call.order_by.size() == 1;
  if (range.last == std::numeric_limits<std::int64_t>::max() || range.last < range.first || of_value) return false;
  if (range.first != range.last && usage.order != Usage::Order::unseen) return false;
  const auto inside = output_set(*window->input);
  if (!context.superkey(columns_of_order(call) & inside, context.facts(*window->input))) return false;
  Sort sort{std::move(*window->input), std::move(call.order_by)};
  Limit limit{Rel{std::move(sort)}, literal(range.last - range.first + 1), {}};
  if (range.first > 1) limit.offset = literal(range.first - 1);
  rel = with_filter(Rel{std::move(limit)}, std::move(others));
  return true;
}

}  // namespace

const Rule numbered_rows_to_limit{
    .name = "numbered_rows_to_limit",
    .kinds = rel_kinds<Filter>,
    .apply = turn_numbers_into_limit,
    .example = numbered_rows_to_limit_example,
};

}  // namespace trustsql::plan::rules
