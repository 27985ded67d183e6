// Semi-joins that are equivalent to joins.
//
// Law        R semi-join[p] S = project[R](R JOIN[p] S)
// Holds      if each row of R has at most one match in S (S has one row, or p fixes a key of it), or if duplicates do
//            not matter above (below DISTINCT, GROUP BY without counting, EXISTS). For primary keys that may hold
//            NULL, under the assumption that they do not.
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample semi_join_to_join_example{
    .before = "SELECT v FROM c WHERE pid IN (SELECT id FROM p WHERE age > 3)",
    .prepared_by = "in_to_semi_join",
    .after = "Project c.v (Join inner on c.pid = p.id (Scan c (pid, v), Filter p.age > 3 (Scan p (id, age))))",
};
extern const Rule semi_join_to_join;

}  // namespace trustsql::plan::rules
