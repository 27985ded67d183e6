#include "plan/rules/window_rows_to_groups.hpp"

#include <algorithm>

#include "plan/rules/common.hpp"
#include "plan/rules/partitions.hpp"

namespace trustsql::plan::rules {

namespace {

bool group_rows(Rel& rel, const Usage& usage, RuleContext& context) {
  auto& window = *rel.as<Window>();
  if (usage.duplicates_matter || is_volatile(rel)) return false;
  const Rel& input = *window.input;
  const auto inside = output_set(input);
  const auto partition = partition_of(window.calls.front(), inside);
  if (!partition || !std::all_of(window.calls.begin(), window.calls.end(), [&](const WindowCall& call) {
        return is_of_partition(call, inside) && partition_of(call, inside) == partition;
      }))
    return false;
  const auto ids = outputs(rel);
  const auto used = usage.positional ? AttributeSet::of(ids) : usage.needed;
  auto groups = group_partition(input, *partition, used & inside, context);
  if (!groups) return false;
  Project project;
  for (const auto id : ids) {
    if (used.contains(id) && inside.contains(id)) project.items.push_back({id, column(groups->copies.at(id))});
  }
  for (const auto& call : window.calls) {
    auto aggregate = as_aggregate(call, groups->copies);
    if (!aggregate) return false;
    const auto id = aggregate->id;
    aggregate->id = context.plan().add_attribute_like(id);
    project.items.push_back({id, column(AttributeId(aggregate->id))});
    groups->groups.calls.push_back(*std::move(aggregate));
  }
  project.input = Rel{std::move(groups->groups)};
  rel = Rel{std::move(project)};
  return true;
}

}  // namespace

const Rule window_rows_to_groups{
    .name = "window_rows_to_groups",
    .kinds = rel_kinds<Window>,
    .apply = group_rows,
    .example = window_rows_to_groups_example,
};

}  // namespace trustsql::plan::rules
