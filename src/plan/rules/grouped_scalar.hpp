// A scalar subquery that aggregates need not be grouped.
//
// Law        (SELECT max(x) ... grouped by nothing) = (SELECT max(x) ...) as a value, the same for MIN, SUM and AVG
// Holds      since both are NULL if there are no rows, and an expression of the aggregates is NULL if they are.
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample grouped_scalar_example{
    .before = "SELECT name FROM p WHERE age = (SELECT v FROM c ORDER BY v DESC LIMIT 1)",
    .prepared_by = "top_row_to_extreme",
    .after =
        "Project p.name (Filter p.age = subquery1 (Scan p (name, age), subquery1: Project max AS expr (Aggregate "
        "max(c.v) AS max (Project c.v (Scan c (v))))))",
};
extern const Rule grouped_scalar;  // in expressions
inline constexpr RuleExample grouped_scalar_applied_example{
    .before = "SELECT name FROM p WHERE age = (SELECT v FROM c ORDER BY v DESC LIMIT 1)",
    .prepared_by = "scalar_subquery_unnesting top_row_to_extreme",
    .after =
        "Project p.name (Project p.name, p.age (Filter p.age = expr (Apply scalar (Scan p (name, age), Project max AS "
        "expr (Aggregate max(c.v) AS max (Project c.v (Scan c (v))))))))",
};
extern const Rule grouped_scalar_applied;  // below an Apply

}  // namespace trustsql::plan::rules
