// Scalar subqueries that are not correlated become operands of a join.
//
// Law        R apply S = R JOIN S if S is not correlated and has exactly one row, R LEFT JOIN S if it has at most one
// Holds      always: a subquery without rows is NULL, as are the columns of a left join without a match. For primary
//            keys that may hold NULL, under the assumption that they do not.
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample apply_to_join_example{
    .before = "SELECT name FROM p WHERE age > (SELECT avg(age) FROM p)",
    .prepared_by = "scalar_subquery_unnesting",
    .after =
        "Project p.name (Project p.name, p.age (Filter p.age > avg (Join inner (Scan p (name, age), Project avg "
        "(Aggregate avg(p_2.age) AS avg (Scan p AS p_2 (age)))))))",
};
extern const Rule apply_to_join;

}  // namespace trustsql::plan::rules
