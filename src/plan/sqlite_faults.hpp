// What SQLite computes wrongly (seen in 3.40). to_sql() writes around the outer joins among it, and what a query that runs into
// it gives is nothing to rely on (order_dependence.hpp).
#pragma once

#include "plan/plan.hpp"

namespace trustsql::plan {

// Whether an inner join among the FROM items of `rel` has a condition without columns of theirs. To the left of a RIGHT or FULL
// JOIN SQLite takes such a condition, where it is not true, for one of the whole: x JOIN y ON 0 FULL JOIN z has no rows.
bool has_condition_without_columns(const Rel& rel);

// Whether `rel` is a SELECT from a RIGHT or FULL JOIN. In a subquery of UNION ALL the WHERE of a SELECT before it gets lost:
// SELECT * FROM (SELECT a FROM x WHERE a > 1 UNION ALL SELECT y.a FROM y RIGHT JOIN z) has all rows of x.
bool selects_from_right_join(const Rel& rel);

// Whether SQLite may get the operator, of a plan as built from a query, wrong: in the ways above, because a table-valued function stands
// in a RIGHT or FULL JOIN, or because IN changes an aggregated value in its place.
bool is_sqlite_fault(const Rel& rel, const Plan& plan);

}  // namespace trustsql::plan
