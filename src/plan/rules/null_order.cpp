#include "plan/rules/null_order.hpp"

namespace trustsql::plan::rules {

namespace {

bool order_nulls_by_key(Rel& rel, RuleContext&) {
  auto& keys = rel.as<Sort>()->keys;
  for (std::size_t i = 0; i + 1 < keys.size(); ++i) {
    const auto* test = keys[i].expr.as<IsNull>();
    auto& next = keys[i + 1];
    if (test == nullptr || !(*test->operand == next.expr) || is_volatile(next.expr)) continue;
    next.nulls_first = test->negated != keys[i].descending;
    keys.erase(keys.begin() + static_cast<std::ptrdiff_t>(i));
    return true;
  }
  return false;
}

}  // namespace

const Rule null_order{
    .name = "null_order",
    .kinds = rel_kinds<Sort>,
    .apply = order_nulls_by_key,
    .example = null_order_example,
};

}  // namespace trustsql::plan::rules
