#include "plan/rules/top_row_to_extreme.hpp"

#include <algorithm>

#include "plan/rules/common.hpp"
#include "plan/rules/partitions.hpp"

namespace trustsql::plan::rules {

namespace {

bool turn_top_row_into_extreme(Rel& rel, RuleContext& context) {
  auto* limit = rel.as<Limit>();
  const auto* count = literal_value(*limit->count);
  if (count == nullptr || limit->offset || *count != Value(std::int64_t{1})) return false;
  auto* project = limit->input->as<Project>();
  auto* sort = (project != nullptr ? *project->input : *limit->input).as<Sort>();
  if (sort == nullptr || sort->keys.empty()) return false;
  const auto& key = sort->keys.front();
  const auto* id = column_id(key.expr);
  if (id == nullptr) return false;
  const AttributeSet only{*id};
  if (project == nullptr && !(output_set(rel) == only)) return false;
  // If 1 and 1.0 occur, the sort may choose one and the aggregate the other.
  const bool one_spelling = equal_is_identical(key.expr, context.plan());
  if (project != nullptr && !std::all_of(project->items.begin(), project->items.end(), [&](const ProjectItem& item) {
        return references(item.expr).is_subset_of(only) && is_repeatable(item.expr) &&
               (one_spelling || item.expr.is<Column>());
      })) {
    return false;
  }
  const auto* function = first_in_order(key, *sort->input, context);
  if (function == nullptr) return false;
  auto& plan = context.plan();
  // Above, the columns keep their ids; below, they get new ones.
  Renaming fresh;
  Aggregate aggregate;
  aggregate.grouped = true;
  aggregate.input = copy_with_new_ids(*sort->input, plan, &fresh);
  auto call = extreme_call(*function, fresh.at(*id), *id, plan);
  const Expr value = column(call.id);
  Project result;
  if (project != nullptr) {
    result.items = std::move(project->items);
    for (auto& item : result.items) substitute(item.expr, [&](AttributeId) { return &value; });
  } else {
    for (const auto output : outputs(rel)) result.items.push_back({output, value});
  }
  aggregate.calls.push_back(std::move(call));
  result.input = Rel{std::move(aggregate)};
  rel = Rel{std::move(result)};
  return true;
}

}  // namespace

const Rule top_row_to_extreme{
    .name = "top_row_to_extreme",
    .kinds = rel_kinds<Limit>,
    .apply = turn_top_row_into_extreme,
    .example = top_row_to_extreme_example,
};

}  // namespace trustsql::plan::rules
