#include "plan/rules/top_row_by_key.hpp"

#include "plan/rules/common.hpp"
#include "plan/rules/partitions.hpp"

namespace trustsql::plan::rules {

namespace {

bool turn_top_row_into_row_of_extreme(Rel& rel, RuleContext& context) {
  auto* limit = rel.as<Limit>();
  const auto* count = literal_value(*limit->count);
  if (count == nullptr || limit->offset || *count != Value(std::int64_t{1})) return false;
  auto* project = limit->input->as<Project>();
  auto* sort = (project != nullptr ? *project->input : *limit->input).as<Sort>();
  if (sort == nullptr || sort->keys.size() != 1) return false;
  const auto& key = sort->keys.front();
  const auto* id = column_id(key.expr);
  const Rel& input = *sort->input;
  const auto facts = context.facts(input);
  const auto* function = first_in_order(key, input, context);
  if (function == nullptr || !context.non_null(key.expr, facts) || !context.superkey({*id}, facts)) return false;
  if (has_window(input) || is_volatile(rel) || !free_attributes(input).empty()) return false;
  const auto ids = outputs(rel);
  Renaming fresh;
  Aggregate extreme;
  extreme.input = copy_with_new_ids(input, context.plan(), &fresh);
  auto value = extreme_call(*function, fresh.at(*id), *id, context.plan());
  Join join;
  join.on.push_back(compare(CompareOp::equal, column(AttributeId(*id)), column(value.id)));
  extreme.calls.push_back(std::move(value));
  join.left = std::move(*sort->input);
  join.right = Rel{std::move(extreme)};
  Project result;
  if (project != nullptr) {
    result.items = std::move(project->items);
  } else {
    for (const auto output : ids) result.items.push_back({output, column(output)});
  }
  result.input = Rel{std::move(join)};
  rel = Rel{std::move(result)};
  return true;
}

}  // namespace

const Rule top_row_by_key{
    .name = "top_row_by_key",
    .kinds = rel_kinds<Limit>,
    .apply = turn_top_row_into_row_of_extreme,
    .example = top_row_by_key_example,
};

}  // namespace trustsql::plan::rules
