// Projections move up through joins, filters, sorts and limits, and merge with the projection or aggregation above.
//
// Law        project[f(x)](project[x = e](R)) = project[f(e)](R);
//            project[x = e](R) JOIN[p(x)] S = project[x = e, S](R JOIN[p(e)] S), and the same for filter, sort, limit,
//            window;
//            project[x](R) semi-join[p(x)] S = project[x](R semi-join[p(x)] S), and the same for an anti-join
// Holds      if e is neither random nor contains a subquery, is small, and is not on a null-extended side of an outer
//            join; comparisons keep their affinity and collation, which are stored in the plan. If a bare column of an
//            aggregate without GROUP BY is computed, its expression must be NULL if there are no rows, as a column is.
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample projection_pull_up_example{
    .before = "SELECT b + 1 FROM (SELECT age * 2 AS b FROM p)",
    .prepared_by = "derived_table_inlining",
    .after = "Project p.age * 2 + 1 AS expr (Scan p (age))",
};
extern const Rule projection_pull_up;

}  // namespace trustsql::plan::rules
