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

}  // namespace trustsql::plan
