#include "plan/rules/common_filter.hpp"

#include <algorithm>

#include "plan/aggregates.hpp"
#include "plan/rules/cluster.hpp"
#include "plan/rules/common.hpp"

namespace trustsql::plan::rules {

namespace {

bool move_common_filter(Rel& rel, RuleContext& context) {
  auto* filter = rel.as<Filter>();
  auto* aggregate = (filter != nullptr ? *filter->input : rel).as<Aggregate>();
  if (aggregate == nullptr || aggregate->grouped != (filter != nullptr) ||
      !std::all_of(aggregate->calls.begin(), aggregate->calls.end(), is_basic))
    return false;
  auto conditions = common_filters(aggregate->calls);
  if (conditions.empty()) return false;
  if (filter != nullptr) {
    const auto& plan = context.plan();
    const bool one_spelling = std::all_of(aggregate->keys.begin(), aggregate->keys.end(), [&](const GroupKey& key) {
      return key.collation == binary_collation && equal_is_identical(key.expr, plan);
    });
    const bool drops_groups =
        std::any_of(filter->conjuncts.begin(), filter->conjuncts.end(),
                    [&](const Expr& conjunct) { return is_untrue_over_no_rows(conjunct, aggregate->calls, plan); });
    if (!one_spelling || !drops_groups) return false;
  }
  drop_filters(aggregate->calls, conditions);
  put_filter(aggregate->input, std::move(conditions));
  return true;
}

}  // namespace

const Rule common_filter{
    .name = "common_filter",
    .kinds = rel_kinds<Aggregate, Filter>,
    .apply = move_common_filter,
    .example = common_filter_example,
};

}  // namespace trustsql::plan::rules
