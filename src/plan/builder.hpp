// From a resolved query to its plan: the operators that SQL's clauses stand for, one by one, and nothing done to them
// yet.
//
//   SELECT  ->  Limit(Project(Sort(Distinct(Project(Window(Filter(Aggregate(Filter(Join ...
//               from LIMIT, ORDER BY, DISTINCT, the select list, OVER, HAVING, GROUP BY, WHERE and FROM; those that the
//               query lacks are left out
//   UNION...->  SetOp            a subquery in FROM, a view, a common table  ->  Derived
//
// Row values are taken apart where that changes nothing; COLLATE, unary plus, likely() and aliases are gone.
#pragma once

#include "base/result.hpp"
#include "plan/plan.hpp"
#include "sql/resolver.hpp"

namespace trustsql::plan {

// The plan of a resolved query. It refers to the catalog, no longer to the query or its resolution.
// Errors: invalid_argument for what SQL can say and a plan cannot (a table-valued function as a side of RIGHT or FULL
// JOIN that takes its arguments from the other side; ORDER BY with COLLATE behind a compound query that ends in GROUP
// BY, which SQLite takes for one of the whole).
Result<Plan> build_plan(const Resolution& resolution);

}  // namespace trustsql::plan
