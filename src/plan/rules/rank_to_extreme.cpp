#include "plan/rules/rank_to_extreme.hpp"

#include <algorithm>

#include "plan/rules/cluster.hpp"
#include "plan/rules/common.hpp"
#include "plan/rules/partitions.hpp"

namespace trustsql::plan::rules {

namespace {

// Whether all rows are ranked first that have the first value of the column, and no others.
bool ranks_by_value(const WindowCall& call, const std::vector<AttributeId>& partition, AttributeId id, const Rel& input,
                    RuleContext& context) {
  if (call.order_by.size() != 1 || call.filter) return false;
  if (call.name == "rank" || call.name == "dense_rank") return true;
  AttributeSet all{id};
  for (const auto each : partition) all.add(each);
  return call.name == "row_number" && context.superkey(all, context.facts(input));
}

bool compare_with_extreme(Rel& rel, const Usage&, RuleContext& context) {
  auto* filter = rel.as<Filter>();
  auto* window = filter->input->as<Window>();
  if (window == nullptr || window->calls.size() != 1) return false;
  const auto& call = window->calls.front();
  const auto first = std::find_if(filter->conjuncts.begin(), filter->conjuncts.end(),
                                  [&](const Expr& conjunct) { return keeps_first(conjunct, call.id); });
  if (first == filter->conjuncts.end()) return false;
  auto& plan = context.plan();
  const Rel& input = *window->input;
  const auto partition = partition_of(call, output_set(input));
  if (!partition || is_volatile(input) || has_window(input) || !free_attributes(input).empty()) return false;
  if (call.order_by.empty()) return false;
  const auto* id = column_id(call.order_by.front().expr);
  const auto* function = first_in_order(call.order_by.front(), input, context);
  if (function == nullptr || !ranks_by_value(call, *partition, *id, input, context)) return false;

  const auto facts = context.facts(input);
  Renaming fresh;
  Aggregate extreme;
  extreme.grouped = !partition->empty();
  extreme.input = copy_with_new_ids(input, plan, &fresh);
  Join join;
  const auto equate = [&](AttributeId own, AttributeId theirs) {
    const bool plain = context.non_null(column(own), facts);
    join.on.emplace_back(Compare{plain ? CompareOp::equal : CompareOp::is, {}, column(own), column(theirs)});
  };
  for (const auto each : *partition) {
    const auto copy = fresh.at(each);
    extreme.keys.push_back({copy, column(copy), binary_collation});
    equate(each, copy);
  }
  auto value = extreme_call(*function, fresh.at(*id), *id, plan);
  equate(*id, value.id);
  extreme.calls.push_back(std::move(value));

  join.right = Rel{std::move(extreme)};
  join_first_rows(rel, first - filter->conjuncts.begin(), std::move(join));
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
