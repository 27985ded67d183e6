#include "plan/rules/first_row_to_group.hpp"

#include <algorithm>

#include "plan/rules/cluster.hpp"
#include "plan/rules/common.hpp"
#include "plan/rules/partitions.hpp"

namespace trustsql::plan::rules {

namespace {

// Whether all rows that are ranked first look the same, and may be one.
bool ranks_one_row(const WindowCall& call, const Usage& usage) {
  if (call.filter || call.order_by.empty()) return false;
  return call.name == "row_number" ||
         ((call.name == "rank" || call.name == "dense_rank") && call.order_by.size() == 1 && !usage.duplicates_matter);
}

bool group_first_rows(Rel& rel, const Usage& usage, RuleContext& context) {
  auto* filter = rel.as<Filter>();
  auto* window = filter->input->as<Window>();
  if (window == nullptr || window->calls.size() != 1) return false;
  const auto call = window->calls.front();
  const auto first = std::find_if(filter->conjuncts.begin(), filter->conjuncts.end(),
                                  [&](const Expr& conjunct) { return keeps_first(conjunct, call.id); });
  if (first == filter->conjuncts.end() || !ranks_one_row(call, usage)) return false;
  const Rel& input = *window->input;
  const auto inside = output_set(input);
  const auto partition = partition_of(call, inside);
  if (!partition || is_volatile(input)) return false;
  const auto& key = call.order_by.front();
  const auto* function = first_in_order(key, input, context);
  if (function == nullptr) return false;
  const auto extreme = *column_id(key.expr);

  // The columns that are used, in their order.
  const auto ids = outputs(rel);
  auto used = usage.positional ? AttributeSet::of(ids) : usage.needed;
  for (auto it = filter->conjuncts.begin(); it != filter->conjuncts.end(); ++it) {
    if (it != first) used |= references(*it);
  }
  auto determined = used & inside;
  if (std::find(partition->begin(), partition->end(), extreme) == partition->end()) determined.remove(extreme);
  auto groups = group_partition(input, *partition, determined, context);
  if (!groups) return false;
  auto value = extreme_call(*function, groups->copies.at(extreme), extreme, context.plan());
  Project project;
  for (const auto id : ids) {
    if (!used.contains(id)) continue;
    if (id == call.id) {
      project.items.push_back({id, literal(std::int64_t{1})});
    } else {
      project.items.push_back({id, column(determined.contains(id) ? groups->copies.at(id) : value.id)});
    }
  }
  groups->groups.calls.push_back(std::move(value));
  project.input = Rel{std::move(groups->groups)};
  filter->conjuncts.erase(first);
  filter->input = Rel{std::move(project)};
  drop_if_empty(rel);
  return true;
}

}  // namespace

const Rule first_row_to_group{
    .name = "first_row_to_group",
    .kinds = rel_kinds<Filter>,
    .apply = group_first_rows,
    .example = first_row_to_group_example,
};

}  // namespace trustsql::plan::rules
