#include "plan/rules/window_to_groups.hpp"

#include <algorithm>
#include <array>

#include "plan/rules/cluster.hpp"
#include "plan/rules/common.hpp"

namespace trustsql::plan::rules {

namespace {

// Whether the call aggregates all rows of its partition, which columns determine.
bool is_of_partition(const WindowCall& call, const AttributeSet& inside) {
  constexpr std::array<std::string_view, 6> aggregates = {"count", "sum", "avg", "total", "min", "max"};
  using Kind = ast::FrameBound::Kind;
  const bool all_rows = call.frame ? call.frame->start.kind == Kind::unbounded_preceding &&
                                         call.frame->end.kind == Kind::unbounded_following &&
                                         call.frame->exclude == ast::FrameExclude::no_others
                                   : call.order_by.empty();
  return call.info != nullptr && all_rows &&
         std::find(aggregates.begin(), aggregates.end(), call.name) != aggregates.end() &&
         std::all_of(call.partition_by.begin(), call.partition_by.end(), [&](const GroupKey& key) {
           const auto* id = column_id(key.expr);
           return id != nullptr && inside.contains(*id) && key.collation == binary_collation;
         });
}

std::vector<AttributeId> partition_columns(const WindowCall& call) {
  std::vector<AttributeId> columns;
  for (const auto& key : call.partition_by) {
    const auto id = *column_id(key.expr);
    if (std::find(columns.begin(), columns.end(), id) == columns.end()) columns.push_back(id);
  }
  return columns;
}

// The same aggregate over a group; nullopt if the function table lacks it.
std::optional<AggregateCall> as_aggregate(WindowCall call, const Renaming& copies) {
  AggregateCall result;
  const auto* info = FunctionTable::latest().find(call.name, static_cast<int>(call.arguments.size()));
  if (info == nullptr) return std::nullopt;
  result.id = call.id;
  result.name = info->name;
  result.info = info;
  result.arguments = std::move(call.arguments);
  result.filter = std::move(call.filter);
  result.collation = call.collation;
  for (auto& argument : result.arguments) rename(argument, copies);
  if (result.filter) rename(*result.filter, copies);
  return result;
}

bool join_groups(Rel& rel, RuleContext& context) {
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
  const auto partition = partition_columns(*first);
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
    join.on.push_back(Expr{Compare{op, {}, column(each), column(copy)}});
  }
  std::vector<WindowCall> others;
  for (auto& call : window.calls) {
    if (is_of_partition(call, inside) && partition_columns(call) == partition) {
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
