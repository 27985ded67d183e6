// The rows of the first rank are those with the maximum or minimum.
//
// Law        filter[n = 1](window[n = rank() over (partition by p order by x desc)](R)) =
//            project[R, n = 1](R JOIN[p IS q, x IS m] group[q, m = max(y)](S)), where S is a copy of R and q, y the
//            copies of p, x; without partitions R JOIN[x IS m] aggregate[m = max(y)](S); min(y) for ascending order
// Holds      for RANK and DENSE_RANK, and for ROW_NUMBER if p and x determine the row, since there are no ties then. If
//            NULLs come first, only if x is never NULL. For columns p and x compared under BINARY, and if R has no
//            window functions itself, is not random and does not depend on rows outside.
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample rank_to_extreme_example{
    .before = "SELECT name FROM (SELECT name, rank() OVER (ORDER BY age DESC) AS n FROM p) WHERE n = 1",
    .prepared_by = "derived_table_inlining filter_pushdown_project",
    .after =
        "Project p.name (Project p.name, expr (Project p.name, p.age, 1 AS expr (Join inner on p.age IS max (Scan p "
        "(name, age), Aggregate max(p_2.age) AS max (Scan p AS p_2 (name, age))))))",
};
extern const Rule rank_to_extreme;

}  // namespace trustsql::plan::rules
