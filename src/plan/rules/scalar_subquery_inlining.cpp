#include "plan/rules/scalar_subquery_inlining.hpp"

namespace trustsql::plan::rules {

namespace {

bool inline_value(Expr& expr, const ExprSite&, RuleContext&) {
  auto* project = expr.as<ScalarSubquery>()->rel->as<Project>();
  if (project == nullptr || project->items.size() != 1) return false;
  const auto* values = project->input->as<Values>();
  if (values == nullptr || values->rows.size() != 1 || !values->ids.empty()) return false;
  Expr value = std::move(project->items.front().expr);
  expr = std::move(value);
  return true;
}

}  // namespace

const Rule scalar_subquery_inlining{
    .name = "scalar_subquery_inlining",
    .kinds = expr_kinds<ScalarSubquery>,
    .apply = inline_value,
    .example = scalar_subquery_inlining_example,
};

}  // namespace trustsql::plan::rules
