#include "plan/rules/average_of_counts.hpp"

#include <algorithm>

#include "plan/rules/common.hpp"

namespace trustsql::plan::rules {

namespace {

// The call that counts what `aggregate` averages, in `groups`, its input; nullptr if it does something else.
const AggregateCall* averaged_count(const Aggregate& aggregate, const Aggregate& groups) {
  if (aggregate.grouped || aggregate.calls.size() != 1) return nullptr;
  const auto& average = aggregate.calls.front();
  if (average.name != "avg" || average.info == nullptr || average.distinct || average.filter) return nullptr;
  const auto* counted = column_id(average.arguments.front());
  const auto call = std::ranges::find_if(
      groups.calls, [&](const AggregateCall& each) { return counted != nullptr && each.id == *counted; });
  if (call == groups.calls.end() || call->name != "count" || call->info == nullptr || call->distinct) return nullptr;
  return &*call;
}

bool divide_by_groups(Rel& rel, RuleContext& context) {
  auto& plan = context.plan();
  const auto& aggregate = *rel.as<Aggregate>();
  const auto* groups = below_renamings(*aggregate.input).as<Aggregate>();
  if (groups == nullptr || groups->keys.size() != 1 || groups->has_bare_columns() || is_volatile(rel) ||
      !is_result(rel, plan))
    return false;
  const auto* counted = averaged_count(aggregate, *groups);
  const auto& key = groups->keys.front();
  if (counted == nullptr || key.collation != binary_collation) return false;
  auto number_of_groups = count_of_rows(counted->id, plan);
  if (!number_of_groups || !context.non_null(key.expr, context.facts(*groups->input))) return false;
  number_of_groups->arguments.push_back(key.expr);
  number_of_groups->distinct = true;
  number_of_groups->info = FunctionTable::latest().find("count", 1);
  auto all = *counted;
  all.id = plan.add_attribute_like(counted->id);

  const auto average = aggregate.calls.front().id;
  Project project;
  project.items.push_back(
      {average, Expr{Binary{ast::BinaryOp::divide, Expr{Cast{column(all.id), "REAL", Affinity::real}},
                            column(number_of_groups->id)}}});
  Aggregate counts;
  counts.input = *groups->input;
  counts.calls.push_back(std::move(all));
  counts.calls.push_back(*std::move(number_of_groups));
  project.input = Rel{std::move(counts)};
  rel = Rel{std::move(project)};
  return true;
}

}  // namespace

const Rule average_of_counts{
    .name = "average_of_counts",
    .kinds = rel_kinds<Aggregate>,
    .apply = divide_by_groups,
    .example = average_of_counts_example,
};

}  // namespace trustsql::plan::rules
