// A subquery that looks up one row for each row becomes a left join.
//
// Law        R apply project[s](filter[p](S)) = project[R, s](R LEFT JOIN[p] S), where only p depends on R
// Holds      if at most one row of S satisfies p for a row of R (p fixes a key of S), s is a column of S, and p
//            contains no subquery. For primary keys that may hold NULL, under the assumption that they do not.
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample correlated_row_unnesting_example{
    .before = "SELECT v, (SELECT name FROM p WHERE p.id = c.pid) FROM c",
    .prepared_by = "scalar_subquery_unnesting",
    .after =
        "Project c.v, p.name AS expr (Project c.pid, c.v, p.name (Join left on p.id = c.pid (Scan c (pid, v), Scan p "
        "(id, name))))",
};
extern const Rule correlated_row_unnesting;

}  // namespace trustsql::plan::rules
