// Rows of which only their partition and its aggregates are seen, once each, are groups.
//
// Law        window[n = f(x) over (partition by p)](R) = project[p, n](group[p](n = f(x))(R)), which has no row if R
// has
//            none
// Holds      for COUNT, SUM, AVG, TOTAL, MIN and MAX without an order, or over a frame of all rows, if only p, n and
//            columns that p determines are used of the rows, and if it does not matter how often a row occurs. For
//            columns p compared under BINARY, and if R is not random.
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample window_rows_to_groups_example{
    .before = "SELECT DISTINCT city, count(*) OVER (PARTITION BY city) FROM p",
    .after =
        "Distinct (Project expr, expr_2 (Project p.city AS expr, count AS expr_2 (Aggregate count(*) AS count by "
        "p.city "
        "(Scan p (city)))))",
};
extern const Rule window_rows_to_groups;

}  // namespace trustsql::plan::rules
