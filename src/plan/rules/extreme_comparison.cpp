#include "plan/rules/extreme_comparison.hpp"

#include <algorithm>

#include "plan/rules/common.hpp"
#include "plan/rules/partners.hpp"

namespace trustsql::plan::rules {

namespace {

// The call that produces `id`, of an aggregate without groups, and its input.
struct Extreme {
  const AggregateCall* call = nullptr;
  const Rel* input = nullptr;
};

Extreme extreme_of(const Rel& rel, AttributeId id) {
  const auto* aggregate = rel.as<Aggregate>();
  if (aggregate == nullptr || aggregate->grouped) return {};
  for (const auto& call : aggregate->calls) {
    if (call.id == id && call.info != nullptr && call.arguments.size() == 1 && !call.filter &&
        (call.name == "max" || call.name == "min"))
      return {&call, &*aggregate->input};
  }
  return {};
}

// Whether a row of `input` is part of each row of `rows`, and the columns of the pair are the same in it.
bool is_column_of_part(Rel& rows, const Rel& input, const std::pair<AttributeId, AttributeId>& columns) {
  if (const auto* scan = input.as<Scan>(); scan != nullptr && scan->table != nullptr)
    return same_scan(rows, *scan, {columns}) != nullptr;
  return names_in_factor(rows, input, {columns}).has_value();
}

// Turns `value op extreme` into an equality, or `value <> extreme` into a bound. Returns whether it did.
bool strengthen(Compare& compare, const Expr& value, const Expr& extreme, bool value_first, Rel& rows,
                const Rel& aggregate) {
  const auto* value_id = column_id(value);
  const auto* extreme_id = column_id(extreme);
  if (value_id == nullptr || extreme_id == nullptr) return false;
  const auto source = extreme_of(aggregate, *extreme_id);
  if (source.call == nullptr || source.call->collation != compare.how.collation) return false;
  const auto* argument_id = column_id(source.call->arguments.front());
  if (argument_id == nullptr) return false;
  const bool least = source.call->name == "min";
  const auto towards = least == value_first ? CompareOp::less_equal : CompareOp::greater_equal;
  if ((compare.op != towards && compare.op != CompareOp::not_equal) ||
      !is_column_of_part(rows, *source.input, {*value_id, *argument_id}))
    return false;
  compare.op = compare.op == towards ? CompareOp::equal : negated(towards);
  return true;
}

bool strengthen_comparison(Rel& rel, RuleContext&) {
  auto* join = rel.as<Join>();
  if (join->type != JoinType::inner) return false;
  bool changed = false;
  for (auto& conjunct : join->on) {
    auto* compare = conjunct.as<Compare>();
    if (compare == nullptr) continue;
    for (const bool left_rows : {true, false}) {
      Rel& rows = left_rows ? *join->left : *join->right;
      const Rel& aggregate = left_rows ? *join->right : *join->left;
      const bool turned = strengthen(*compare, *compare->left, *compare->right, true, rows, aggregate) ||
                          strengthen(*compare, *compare->right, *compare->left, false, rows, aggregate);
      changed = changed || turned;
    }
  }
  return changed;
}

}  // namespace

const Rule extreme_comparison{
    .name = "extreme_comparison",
    .kinds = rel_kinds<Join>,
    .apply = strengthen_comparison,
    .example = extreme_comparison_example,
};

}  // namespace trustsql::plan::rules
