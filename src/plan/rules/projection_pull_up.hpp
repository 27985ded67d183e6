// Projections move up through joins, filters, sorts and limits, and merge with the projection or aggregation above.
//
// Law        project[f(x)](project[x = e](R)) = project[f(e)](R);
//            project[x = e](R) JOIN[p(x)] S = project[x = e, S](R JOIN[p(e)] S), and the same for filter, sort, limit,
//            window
// Holds      if e is neither random nor contains a subquery, is small, and does not stand on a side that an outer join
// may fill
//            with NULLs; comparisons keep their affinity and collation, which the plan has written into them. Where a
//            bare column of an aggregate without GROUP BY is computed, it must be NULL as a column is if there are no
//            rows.
// Example    SELECT b + 1 FROM (SELECT a * 2 AS b FROM t) WHERE b > 3   becomes   SELECT a * 2 + 1 FROM t WHERE a * 2 >
// 3
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

extern const Rule projection_pull_up;

}  // namespace trustsql::plan::rules
