// From a resolved query to its plan: one operator for each SQL clause, not yet simplified.
//
//   SELECT  ->  Limit(Project(Sort(Distinct(Project(Window(Filter(Aggregate(Filter(Join ...
//               from LIMIT, ORDER BY, DISTINCT, the select list, OVER, HAVING, GROUP BY, WHERE and FROM; clauses that
//               the query lacks give no operator
//   UNION...->  SetOp            a subquery in FROM, a view, a common table  ->  Derived
//
// Row values are split into their elements where that does not change the result. COLLATE, unary plus, likely() and
// aliases do not occur in a plan.
#pragma once

#include "base/result.hpp"
#include "plan/plan.hpp"
#include "sql/resolver.hpp"

namespace trustsql::plan {

// The plan of a resolved query. It refers to the catalog, but not to the query or its resolution. Errors:
// invalid_argument for what SQL can express and a plan cannot: a table-valued function in a RIGHT or FULL JOIN that
// takes its arguments from the other side; ORDER BY with COLLATE after a compound query that ends in GROUP BY, which
// SQLite applies to the whole query.
Result<Plan> build_plan(const Resolution& resolution);

}  // namespace trustsql::plan
