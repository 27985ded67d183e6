// What the rules that turn subqueries into joins have in common: the subquery of EXISTS or IN as the right side of a
// join.
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

// Takes off what does not change whether the rows of `rel` fulfil `on` at all: sorting, DISTINCT, borders of
// subqueries, projections (`on` is rewritten to look below them) and, where `on` is empty, LIMIT and GROUP BY.
void strip_for_existence(Rel& rel, std::vector<Expr>& on, const Plan& plan);

// left semi- or anti-join right on `on`. Conditions of `right` that look at columns of `left` go into `on`; where that
// is not enough to free `right` of them, it becomes an Apply.
Rel existence_join(Rel left, Rel right, std::vector<Expr> on, bool anti);

}  // namespace trustsql::plan::rules
