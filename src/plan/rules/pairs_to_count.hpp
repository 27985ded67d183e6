// Groups of which two rows are paired are those with at least two rows.
//
// Law        distinct(project[k](R JOIN[k = k2 AND x < x2] R2)) = project[k](filter[n >= 2](group[k](n =
//            count(*))(filter[k IS NOT NULL](R)))), where R2 is R again; the same for x > x2, x <> x2, and for a
//            semi-join
// Holds      if R is a table in which no two rows agree on k and x, and x is never NULL. For columns compared under
//            BINARY without conversion; equal values of k must be identical.
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample pairs_to_count_example{
    .before = "SELECT DISTINCT c.pid FROM c JOIN c AS d ON d.pid = c.pid AND c.cid < d.cid",
    .after = "Project c.pid (Filter count >= 2 (Aggregate count(*) AS count by c.pid (Scan c (cid, pid))))",
};
extern const Rule pairs_to_count;

}  // namespace trustsql::plan::rules
