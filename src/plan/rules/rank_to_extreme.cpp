#include "plan/rules/rank_to_extreme.hpp"

#include <algorithm>

#include "plan/rules/cluster.hpp"
#include "plan/rules/common.hpp"

namespace trustsql::plan::rules {

namespace {

// Whether the condition keeps the rows in which the rank `id` is 1. Ranks are integers from 1 on.
bool asks_for_first(const Expr& conjunct, AttributeId id) {
  const auto bound = as_bound(conjunct);
  if (!bound || (bound->op != CompareOp::equal && bound->op != CompareOp::less_equal)) return false;
  const auto* column = column_id(*bound->operand);
  return column != nullptr && *column == id && *bound->value == Value(std::int64_t{1});
}

bool has_window(const Rel& rel) {
  bool found = false;
  walk(rel, [&](const Window&) { found = true; });
  return found;
}

// The columns that the call partitions by; nullopt if it does so by anything else.
std::optional<std::vector<AttributeId>> partition_of(const WindowCall& call) {
  std::vector<AttributeId> columns;
  for (const auto& key : call.partition_by) {
    const auto* id = column_id(key.expr);
    if (id == nullptr || key.collation != binary_collation) return std::nullopt;
    columns.push_back(*id);
  }
  return columns;
}

// The column that the call orders by, if that alone decides who is first.
const AttributeId* order_of(const WindowCall& call, const std::vector<AttributeId>& partition, const Rel& input,
                            RuleContext& context) {
  if (call.order_by.size() != 1 || call.filter) return nullptr;
  const auto& key = call.order_by.front();
  const auto* id = column_id(key.expr);
  const auto facts = context.facts(input);
  if (id == nullptr || key.collation != binary_collation || !facts.outputs.contains(*id)) return nullptr;
  if (call.name == "row_number") {
    AttributeSet all{*id};
    for (const auto each : partition) all.add(each);
    if (!context.superkey(all, facts)) return nullptr;
  } else if (call.name != "rank" && call.name != "dense_rank") {
    return nullptr;
  }
  if (key.nulls_first && !context.non_null(key.expr, facts)) return nullptr;
  return id;
}

bool compare_with_extreme(Rel& rel, RuleContext& context) {
  auto* filter = rel.as<Filter>();
  auto* window = filter->input->as<Window>();
  if (window == nullptr || window->calls.size() != 1) return false;
  const auto& call = window->calls.front();
  const auto first = std::find_if(filter->conjuncts.begin(), filter->conjuncts.end(),
                                  [&](const Expr& conjunct) { return asks_for_first(conjunct, call.id); });
  if (first == filter->conjuncts.end()) return false;
  auto& plan = context.plan();
  const Rel& input = *window->input;
  const auto partition = partition_of(call);
  if (!partition || is_volatile(input) || has_window(input) || !free_attributes(input).empty()) return false;
  const auto* id = order_of(call, *partition, input, context);
  if (id == nullptr) return false;
  const auto* info = FunctionTable::latest().find(call.order_by.front().descending ? "max" : "min", 1);
  if (info == nullptr) return false;

  const auto facts = context.facts(input);
  Renaming fresh;
  Aggregate extreme;
  extreme.grouped = !partition->empty();
  extreme.input = copy_with_new_ids(input, plan, &fresh);
  Join join;
  const auto equate = [&](AttributeId own, AttributeId theirs) {
    const bool plain = context.non_null(column(own), facts);
    join.on.push_back(Expr{Compare{plain ? CompareOp::equal : CompareOp::is, {}, column(own), column(theirs)}});
  };
  for (const auto each : *partition) {
    const auto copy = fresh.at(each);
    extreme.keys.push_back({copy, column(copy), binary_collation});
    equate(each, copy);
  }
  AggregateCall value;
  value.id = plan.add_attribute_like(*id);
  plan.attributes[value.id].affinity = Affinity::none;
  plan.attributes[value.id].table = nullptr;
  plan.attributes[value.id].position = -1;
  value.name = info->name;
  value.info = info;
  value.arguments.push_back(column(fresh.at(*id)));
  equate(*id, value.id);
  extreme.calls.push_back(std::move(value));

  Project project;
  for (const auto output : outputs(*filter->input)) {
    project.items.push_back({output, output == call.id ? literal(std::int64_t{1}) : column(output)});
  }
  join.left = std::move(*window->input);
  join.right = Rel{std::move(extreme)};
  project.input = Rel{std::move(join)};
  filter->conjuncts.erase(first);
  filter->input = Rel{std::move(project)};
  drop_if_empty(rel);
  return true;
}

}  // namespace

const Rule rank_to_extreme{
    .name = "rank_to_extreme",
    .kinds = rel_kinds<Filter>,
    .apply = compare_with_extreme,
    .example = rank_to_extreme_example,
};

}  // namespace trustsql::plan::rules
