// A UNION ALL of sets whose rows are counted, for the rows that are in all of them, becomes semi-joins.
//
// Law        filter[n = k](group[x](n = count(*))(R1 UNION ALL ... UNION ALL Rk))
//            = project[x = r, n = k](R1 semi-join[r IS s] R2 ... semi-join[r IS t] Rk)
// Holds      if no input has two rows that are equal on x, with NULLs treated as equal, and of equal values all are
//            identical; for keys that are columns, compared under BINARY, and no other aggregate
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample counted_union_to_semi_join_example{
    .before =
        "SELECT x FROM (SELECT DISTINCT city AS x FROM p UNION ALL SELECT DISTINCT w FROM c) GROUP BY x HAVING "
        "count(*) = 2",
    .prepared_by = "derived_table_inlining",
    .after =
        "Project expr (Project p.city AS expr, 2 AS expr_2 (Join semi on p.city IS c.w (Distinct (Project p.city (Scan "
        "p (city))), Distinct (Project c.w (Scan c (w))))))",
};
extern const Rule counted_union_to_semi_join;

}  // namespace trustsql::plan::rules
