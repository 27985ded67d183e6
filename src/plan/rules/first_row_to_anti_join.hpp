// The first row of each partition is the one that no row comes before.
//
// Law        filter[n = 1](window[n = row_number() over (partition by p order by x, y DESC)](R)) =
//            project[R, n = 1](R anti-join[p IS p2 AND (x2 < x OR x2 = x AND y2 > y)] R2), where R2 is a copy of R
// Holds      if p, x and y determine the row, so that there are no ties, and x and y are never NULL. For columns
//            compared under BINARY, and at least two in the order: a single one is looked at by rank_to_extreme. R must
//            be a table, filtered or not, that is not random and does not depend on rows outside.
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample first_row_to_anti_join_example{
    .before =
        "SELECT cid FROM (SELECT cid, row_number() OVER (PARTITION BY w ORDER BY pid, cid DESC) AS n FROM c) "
        "WHERE n = 1",
    .prepared_by = "derived_table_inlining filter_pushdown_project",
    .after =
        "Project c.cid (Project c.cid, expr (Project c.cid, c.pid, c.w, 1 AS expr (Join anti on c.w IS c_2.w AND "
        "(c_2.pid < c.pid OR c_2.pid = c.pid AND c_2.cid > c.cid) (Scan c (cid, pid, w), Scan c AS c_2 (cid, pid, "
        "w)))))",
};
extern const Rule first_row_to_anti_join;

}  // namespace trustsql::plan::rules
