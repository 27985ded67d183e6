#include "plan/rules/window_to_groups.hpp"

#include <algorithm>

#include "plan/rules/cluster.hpp"
#include "plan/rules/common.hpp"
#include "plan/rules/partitions.hpp"

namespace trustsql::plan::rules {

namespace {

bool join_groups(Rel& rel, const Usage&, RuleContext& context) {
  auto& window = *rel.as<Window>();
  auto& plan = context.plan();
  const Rel& input = *window.input;
  const auto inside = output_set(input);
  const auto first = std::find_if(window.calls.begin(), window.calls.end(),
                                  [&](const WindowCall& call) { return is_of_partition(call, inside); });
  if (first == window.calls.end() || is_volatile(rel) || !free_attributes(rel).empty()) return false;
  bool nested = false;
  walk(input, [&](const Window&) { nested = true; });
  if (nested) return false;
  const auto partition = *partition_of(*first, inside);
  const auto ids = outputs(rel);

  const auto facts = context.facts(input);
  Renaming copies;
  Aggregate groups;
  groups.grouped = !partition.empty();
  groups.input = copy_with_new_ids(input, plan, &copies);
  Join join;
  for (const auto each : partition) {
    const auto copy = copies.at(each);
    groups.keys.push_back({copy, column(copy), binary_collation});
    const auto op = context.non_null(column(each), facts) ? CompareOp::equal : CompareOp::is;
    join.on.emplace_back(Compare{op, {}, column(each), column(copy)});
  }
  std::vector<WindowCall> others;
  for (auto& call : window.calls) {
    if (is_of_partition(call, inside) && partition_of(call, inside) == partition) {
      auto aggregate = as_aggregate(call, copies);
      if (!aggregate) return false;
      groups.calls.push_back(*std::move(aggregate));
    } else {
      others.push_back(call);
    }
  }
  if (others.empty()) {
    join.left = std::move(*window.input);
  } else {
    join.left = Rel{Window{std::move(*window.input), std::move(others)}};
  }
  join.right = Rel{std::move(groups)};
  rel = with_outputs(Rel{std::move(join)}, ids);
  return true;
}

}  // namespace

const Rule window_to_groups{
    .name = "window_to_groups",
    .kinds = rel_kinds<Window>,
    .apply = join_groups,
    .example = window_to_groups_example,
};

}  // namespace trustsql::plan::rules
