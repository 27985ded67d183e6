// Common parts of the rules that turn subqueries into joins: the subquery of EXISTS or IN becomes the right side of a
// join.
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

// Removes operators that do not affect whether any row of `rel` satisfies `on`: sorting, DISTINCT, subquery
// boundaries, projections (`on` is rewritten to refer to their input) and, if `on` is empty, LIMIT and GROUP BY.
void strip_for_existence(Rel& rel, std::vector<Expr>& on, const Plan& plan);

// The semi- or anti-join of `left` and `right` on `on`. Conditions of `right` that use columns of `left` move into
// `on`; if `right` then still depends on `left`, the join becomes an Apply.
Rel existence_join(Rel left, Rel right, std::vector<Expr> on, bool anti);

}  // namespace trustsql::plan::rules
