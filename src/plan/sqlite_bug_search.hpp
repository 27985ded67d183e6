// Searches an operator of a plan for what a bug of SQLite may affect (sqlite_bug_patterns.hpp).
#pragma once

#include "plan/walk.hpp"

namespace trustsql::plan {

// Whether `holds(expr)` for any expression of the operator, including operands.
template <class Holds>
bool any_value(const Rel& rel, const Holds& holds) {
  const auto search = [&](const auto& self, const Expr& expr) -> bool {
    bool found = holds(expr);
    for_each_expr(expr, [&](const Expr& operand) { found = found || self(self, operand); });
    return found;
  };
  bool found = false;
  for_each_expr(rel, [&](const Expr& expr) { found = found || search(search, expr); });
  return found;
}

// The same, in its subqueries as well.
template <class Holds>
bool any_value_within(const Rel& rel, const Holds& holds) {
  return any_value(rel, [&](const Expr& expr) {
    bool found = holds(expr);
    for_each_rel(expr, [&](const Rel& subquery) {
      walk(subquery, [&](const Rel& inner) { found = found || any_value(inner, holds); });
    });
    return found;
  });
}

// The aggregation in the same SELECT whose result `rel` uses; nullptr if there is none.
inline const Aggregate* aggregate_below(const Rel& rel) {
  if (!rel.is<Project>() && !rel.is<Filter>() && !rel.is<Sort>()) return nullptr;
  const Rel* input = &rel;
  while (!input->is<Aggregate>()) {
    const Rel* next = nullptr;
    if (const auto* project = input->as<Project>()) next = project->input.get();
    if (const auto* filter = input->as<Filter>()) next = filter->input.get();
    if (const auto* sort = input->as<Sort>()) next = sort->input.get();
    if (const auto* window = input->as<Window>()) next = window->input.get();
    if (next == nullptr) return nullptr;
    input = next;
  }
  return input->as<Aggregate>();
}

}  // namespace trustsql::plan
