#include "plan/rules/partitions.hpp"

#include <algorithm>
#include <array>

#include "plan/rules/common.hpp"

namespace trustsql::plan::rules {

std::optional<std::vector<AttributeId>> partition_of(const WindowCall& call, const AttributeSet& inside) {
  std::vector<AttributeId> columns;
  for (const auto& key : call.partition_by) {
    const auto* id = column_id(key.expr);
    if (id == nullptr || !inside.contains(*id) || key.collation != binary_collation) return std::nullopt;
    if (std::find(columns.begin(), columns.end(), *id) == columns.end()) columns.push_back(*id);
  }
  return columns;
}

bool has_window(const Rel& rel) {
  bool found = false;
  walk(rel, [&](const Window&) { found = true; });
  return found;
}

AttributeSet columns_of_order(const WindowCall& call) {
  AttributeSet columns;
  const auto add = [&](const Expr& expr, std::string_view collation) {
    if (const auto* id = column_id(expr); id != nullptr && collation == binary_collation) columns.add(*id);
  };
  for (const auto& key : call.partition_by) add(key.expr, key.collation);
  for (const auto& key : call.order_by) add(key.expr, key.collation);
  return columns;
}

bool is_of_partition(const WindowCall& call, const AttributeSet& inside) {
  constexpr std::array<std::string_view, 6> aggregates = {"count", "sum", "avg", "total", "min", "max"};
  using Kind = ast::FrameBound::Kind;
  const bool all_rows = call.frame ? call.frame->start.kind == Kind::unbounded_preceding &&
                                         call.frame->end.kind == Kind::unbounded_following &&
                                         call.frame->exclude == ast::FrameExclude::no_others
                                   : call.order_by.empty();
  return call.info != nullptr && all_rows &&
         std::find(aggregates.begin(), aggregates.end(), call.name) != aggregates.end() &&
         partition_of(call, inside).has_value();
}

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

bool keeps_first(const Expr& conjunct, AttributeId rank) {
  const auto bound = as_bound(conjunct);
  if (!bound || (bound->op != CompareOp::equal && bound->op != CompareOp::less_equal)) return false;
  const auto* id = column_id(*bound->operand);
  return id != nullptr && *id == rank && *bound->value == Value(std::int64_t{1});
}

void join_first_rows(Rel& rel, std::ptrdiff_t condition, Join join) {
  auto* filter = rel.as<Filter>();
  auto* window = filter->input->as<Window>();
  const auto number = window->calls.front().id;
  Project project;
  for (const auto output : outputs(*filter->input))
    project.items.push_back({output, output == number ? literal(std::int64_t{1}) : column(output)});
  join.left = std::move(*window->input);
  project.input = Rel{std::move(join)};
  filter->conjuncts.erase(filter->conjuncts.begin() + condition);
  filter->input = Rel{std::move(project)};
  drop_if_empty(rel);
}

const SqlFunction* first_in_order(const SortKey& key, const Rel& input, RuleContext& context) {
  const auto* id = column_id(key.expr);
  const auto facts = context.facts(input);
  if (id == nullptr || key.collation != binary_collation || !facts.outputs.contains(*id)) return nullptr;
  if (key.nulls_first && !context.non_null(key.expr, facts)) return nullptr;
  return FunctionTable::latest().find(key.descending ? "max" : "min", 1);
}

AggregateCall extreme_call(const SqlFunction& function, AttributeId copy, AttributeId original, Plan& plan) {
  AggregateCall call;
  call.id = plan.add_attribute_like(original);
  auto& attribute = plan.attributes[call.id];
  attribute.affinity = Affinity::none;
  attribute.table = nullptr;
  attribute.position = -1;
  call.name = function.name;
  call.info = &function;
  call.arguments.push_back(column(AttributeId(copy)));
  return call;
}

std::optional<PartitionGroups> group_partition(const Rel& input, const std::vector<AttributeId>& partition,
                                               const AttributeSet& shown, RuleContext& context) {
  const auto facts = context.facts(input);
  AttributeSet keys;
  for (const auto id : partition) keys.add(id);
  std::vector<AttributeId> ids = partition;
  bool determined = true;
  shown.for_each([&](AttributeId id) {
    if (keys.contains(id)) return;
    determined = determined && facts.outputs.contains(id) && context.determines(keys, id, facts);
    ids.push_back(id);
  });
  if (!determined) return std::nullopt;
  PartitionGroups result;
  result.groups.grouped = true;
  result.groups.input = copy_with_new_ids(input, context.plan(), &result.copies);
  result.groups.keys.reserve(ids.size());
  for (const auto id : ids) {
    const auto copy = result.copies.at(id);
    result.groups.keys.push_back({copy, column(copy), binary_collation});
  }
  return result;
}

}  // namespace trustsql::plan::rules
