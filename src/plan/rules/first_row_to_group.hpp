// The first row of each partition, seen only through its partition and its first value, is a group.
//
// Law        filter[n = 1](window[n = row_number() over (partition by p order by x DESC)](R)) =
//            project[p, x = m, n = 1](group[p](m = max(x))(R)), which has no row if R has none; min(x) for ascending
//            order
// Holds      if only p, x, n and columns that p determines are used of the rows; also for RANK and DENSE_RANK if it
// does
//            not matter how often a row occurs. Further columns may follow x in the order. If NULLs come first, only if
//            x is never NULL. For columns p and x compared under BINARY, and if R is not random.
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample first_row_to_group_example{
    .before =
        "SELECT city, age FROM (SELECT city, age, row_number() OVER (PARTITION BY city ORDER BY age DESC) AS n FROM p) "
        "WHERE n = 1",
    .prepared_by = "derived_table_inlining filter_pushdown_project",
    .after =
        "Project expr_2, expr (Project expr_2, expr, expr_3 (Project max AS expr, p.city AS expr_2, 1 AS expr_3 "
        "(Aggregate max(p.age) AS max by p.city (Scan p (age, city)))))",
};
extern const Rule first_row_to_group;

}  // namespace trustsql::plan::rules
