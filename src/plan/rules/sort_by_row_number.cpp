#include "plan/rules/sort_by_row_number.hpp"

#include <algorithm>

#include "plan/rules/common.hpp"
#include "plan/rules/partitions.hpp"

namespace trustsql::plan::rules {

namespace {

// The window below filters and projections that pass columns on; nullptr if there is another operator.
const Window* window_below(const Rel& rel) {
  const Rel* below = &below_renamings(rel);
  while (const auto* filter = below->as<Filter>()) below = &below_renamings(std::as_const(*filter->input));
  return below->as<Window>();
}

bool sort_by_keys(Rel& rel, RuleContext& context) {
  auto* sort = rel.as<Sort>();
  const auto& first = sort->keys.front();
  const auto* number = column_id(first.expr);
  const auto* window = number != nullptr && !first.descending ? window_below(*sort->input) : nullptr;
  if (window == nullptr) return false;
  const auto call = std::find_if(window->calls.begin(), window->calls.end(),
                                 [&](const WindowCall& each) { return each.id == *number; });
  if (call == window->calls.end() || call->name != "row_number" || call->info == nullptr ||
      !call->partition_by.empty() || call->order_by.empty())
    return false;
  const auto shown = output_set(*sort->input);
  const auto inside = output_set(*window->input);
  const bool visible = std::all_of(call->order_by.begin(), call->order_by.end(), [&](const SortKey& key) {
    return is_repeatable(key.expr) && (references(key.expr) & inside).is_subset_of(shown);
  });
  if (!visible || !context.superkey(columns_of_order(*call) & inside, context.facts(*window->input))) return false;
  sort->keys = call->order_by;
  return true;
}

}  // namespace

const Rule sort_by_row_number{
    .name = "sort_by_row_number",
    .kinds = rel_kinds<Sort>,
    .apply = sort_by_keys,
    .example = sort_by_row_number_example,
};

}  // namespace trustsql::plan::rules
