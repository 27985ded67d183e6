#include "plan/rules/scalar_subquery_unnesting.hpp"

#include "plan/rules/cluster.hpp"
#include "plan/rules/common.hpp"

namespace trustsql::plan::rules {

namespace {

bool is_movable(const Expr& expr) {
  const auto* subquery = expr.as<ScalarSubquery>();
  return subquery != nullptr && outputs(*subquery->rel).size() == 1 && !is_volatile(*subquery->rel);
}

// The first movable subquery in `expr`, without searching inside other subqueries.
Expr* find_subquery(Expr& expr) {
  if (is_movable(expr)) return &expr;
  Expr* found = nullptr;
  for_each_expr(expr, [&](Expr& operand) {
    if (found == nullptr) found = find_subquery(operand);
  });
  return found;
}

Rel applied(Rel input, Expr& subquery) {
  Rel right = std::move(*subquery.as<ScalarSubquery>()->rel);
  subquery = column(outputs(right).front());
  return Rel{Apply{ApplyType::scalar, std::move(input), std::move(right), {}}};
}

bool unnest_scalar_subquery(Rel& rel, RuleContext&) {
  if (auto* project = rel.as<Project>()) {
    for (auto& item : project->items) {
      Expr* subquery = find_subquery(item.expr);
      if (subquery == nullptr) continue;
      project->input = applied(std::move(*project->input), *subquery);
      return true;
    }
    return false;
  }
  if (const auto* join = rel.as<Join>(); join != nullptr && join->type != JoinType::inner) return false;
  auto& conjuncts = *conjuncts_of(rel);
  for (std::size_t i = 0; i < conjuncts.size(); ++i) {
    if (find_subquery(conjuncts[i]) == nullptr) continue;
    const auto ids = outputs(rel);
    Expr conjunct = std::move(conjuncts[i]);
    conjuncts.erase(conjuncts.begin() + static_cast<std::ptrdiff_t>(i));
    if (rel.is<Filter>()) drop_if_empty(rel);
    Rel input = applied(std::move(rel), *find_subquery(conjunct));
    std::vector<Expr> condition;
    condition.push_back(std::move(conjunct));
    rel = with_outputs(with_filter(std::move(input), std::move(condition)), ids);
    return true;
  }
  return false;
}

}  // namespace

const Rule scalar_subquery_unnesting{
    .name = "scalar_subquery_unnesting",
    .kinds = rel_kinds<Filter, Project, Join>,
    .apply = unnest_scalar_subquery,
    .example = scalar_subquery_unnesting_example,
};

}  // namespace trustsql::plan::rules
