#include "plan/rules/second_value_to_extreme.hpp"

#include <algorithm>

#include "plan/rules/common.hpp"
#include "plan/rules/partitions.hpp"

namespace trustsql::plan::rules {

namespace {

bool takes_second_row(const Limit& limit) {
  return is_integer_literal(*limit.count, 1) && limit.offset && is_integer_literal(*limit.offset, 1);
}

bool turn_second_value_into_extreme(Rel& rel, RuleContext& context) {
  auto* limit = rel.as<Limit>();
  if (!takes_second_row(*limit)) return false;
  auto* project = limit->input->as<Project>();
  auto* sort = (project != nullptr ? *project->input : *limit->input).as<Sort>();
  auto* distinct = sort != nullptr && !sort->keys.empty() ? sort->input->as<Distinct>() : nullptr;
  if (distinct == nullptr || !distinct->collations.empty() || is_volatile(*distinct->input)) return false;
  auto& plan = context.plan();
  const auto& key = sort->keys.front();
  const auto* id = column_id(key.expr);
  if (id == nullptr || !(output_set(*distinct->input) == AttributeSet{*id}) || !equal_is_identical(key.expr, plan) ||
      !context.non_null(key.expr, context.facts(*distinct->input)))
    return false;
  if (project != nullptr && !std::all_of(project->items.begin(), project->items.end(), [&](const ProjectItem& item) {
        return references(item.expr).is_subset_of(AttributeSet{*id}) && is_repeatable(item.expr);
      }))
    return false;
  const auto* function = first_in_order(key, *distinct->input, context);
  if (function == nullptr) return false;
  // Above, the columns keep their ids; below, they get new ones.
  Renaming fresh;
  Renaming of_others;
  Join join{JoinType::semi,
            copy_with_new_ids(*distinct->input, plan, &fresh),
            copy_with_new_ids(*distinct->input, plan, &of_others),
            {}};
  join.on.push_back(
      compare(key.descending ? CompareOp::less : CompareOp::greater, column(fresh.at(*id)), column(of_others.at(*id))));
  Aggregate aggregate;
  aggregate.grouped = true;
  aggregate.input = Rel{std::move(join)};
  auto call = extreme_call(*function, fresh.at(*id), *id, plan);
  const Expr value = column(call.id);
  aggregate.calls.push_back(std::move(call));
  Project result;
  if (project != nullptr) {
    result.items = std::move(project->items);
    for (auto& item : result.items) substitute(item.expr, [&](AttributeId) { return &value; });
  } else {
    result.items.push_back({*id, value});
  }
  result.input = Rel{std::move(aggregate)};
  rel = Rel{std::move(result)};
  return true;
}

}  // namespace

const Rule second_value_to_extreme{
    .name = "second_value_to_extreme",
    .kinds = rel_kinds<Limit>,
    .apply = turn_second_value_into_extreme,
    .example = second_value_to_extreme_example,
};

}  // namespace trustsql::plan::rules
