#include "plan/rules/grouped_scalar.hpp"

#include <algorithm>

#include "plan/rules/common.hpp"

namespace trustsql::plan::rules {

namespace {

// Turns an aggregate that has no row over no rows into one that has a row of NULLs instead, if that row would be all
// NULLs.
bool ungroup(Rel& rel, Plan& plan) {
  auto* project = rel.as<Project>();
  auto* aggregate = (project != nullptr ? *project->input : rel).as<Aggregate>();
  if (aggregate == nullptr || !aggregate->grouped || !aggregate->keys.empty()) return false;
  const bool null_of_nothing =
      std::all_of(aggregate->calls.begin(), aggregate->calls.end(), [](const AggregateCall& call) {
        return call.info != nullptr &&
               (call.name == "max" || call.name == "min" || call.name == "sum" || call.name == "avg");
      });
  if (!null_of_nothing || aggregate->calls.empty()) return false;
  const auto calls = output_set(project != nullptr ? *project->input : rel);
  const Expr null = literal({});
  const auto is_null_of_nulls = [&](const ProjectItem& item) {
    if (has_subquery(item.expr) || !references(item.expr).is_subset_of(calls)) return false;
    Expr of_nulls = item.expr;
    substitute(of_nulls, [&](AttributeId) { return &null; });
    const auto value = evaluate(of_nulls);
    return value && view(*value).is_null();
  };
  if (project != nullptr && !std::all_of(project->items.begin(), project->items.end(), is_null_of_nulls)) return false;
  aggregate->grouped = false;
  const auto admit_null = [&](AttributeId id) { plan.attributes[id].types = plan.attributes[id].types.with_null(); };
  for (const auto& call : aggregate->calls) admit_null(call.id);
  if (project != nullptr) {
    for (const auto& item : project->items) admit_null(item.id);
  }
  return true;
}

bool ungroup_subquery(Expr& expr, const ExprSite&, RuleContext& context) {
  return ungroup(*expr.as<ScalarSubquery>()->rel, context.plan());
}

bool ungroup_applied(Rel& rel, RuleContext& context) {
  auto* apply = rel.as<Apply>();
  return apply->type == ApplyType::scalar && ungroup(*apply->right, context.plan());
}

}  // namespace

const Rule grouped_scalar{
    .name = "grouped_scalar",
    .kinds = expr_kinds<ScalarSubquery>,
    .apply = ungroup_subquery,
    .example = grouped_scalar_example,
};

const Rule grouped_scalar_applied{
    .name = "grouped_scalar",
    .kinds = rel_kinds<Apply>,
    .apply = ungroup_applied,
    .example = grouped_scalar_applied_example,
};

}  // namespace trustsql::plan::rules
