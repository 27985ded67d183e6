// A window function over the rows up to the own one, or before it, aggregates these rows in a subquery.
//
// Law        window[n = sum(x) over (partition by p order by k, l DESC)](R) = R apply aggregate[n =
//            sum(x2)](filter[p2 IS p AND (k2 < k OR k2 = k AND l2 >= l)](R2)), where R2 is a copy of R; the same for
//            COUNT, AVG, TOTAL, MIN and MAX; rank() is one more than count(*) of the rows before, in which the last
//            comparison is strict; dense_rank() over (order by k) one more than their count(DISTINCT k2); lag(k) is
//            the max(k2) of the rows before, and lead(k) the min(k2) of those after, each the other extreme for
//            descending order
// Holds      if p, k and l are columns compared under BINARY and k and l are never NULL. A frame of ROWS only if no
//            two rows agree on p, k and l, like lag and lead, for which equal values of k must also be identical. R
//            must be a table, filtered or not, that is not random and does not depend on rows outside. A sum of reals
//            may differ, as it may for any order of the rows. The first rank is left to other rules.
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample window_to_subquery_example{
    .before = "SELECT cid, rank() OVER (PARTITION BY w ORDER BY pid DESC) FROM c",
    .after =
        "Project c.cid, expr (Project c.cid, c.pid, c.w, 1 + count AS expr (Apply scalar (Scan c (cid, pid, w), "
        "Aggregate count(*) AS count (Filter c_2.w IS c.w AND c_2.pid > c.pid (Scan c AS c_2 (cid, pid, w))))))",
};
extern const Rule window_to_subquery;

}  // namespace trustsql::plan::rules
