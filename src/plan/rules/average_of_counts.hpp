// The average size of groups is the number of rows, divided by the number of groups.
//
// Law        aggregate[avg(n)](group[k](n = count(*))(R)) = project[CAST(r AS REAL) / g](aggregate[r = count(*), g =
//            count(DISTINCT k)](R)); the same for other counts of rows or values in place of count(*)
// Holds      for one key k that is never NULL, compared under BINARY. Both are NULL over no rows. AVG adds the counts
//            without loss and divides their sum by g. Only for the result of a query: elsewhere the aggregates of a
//            subquery are computed for groups.
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample average_of_counts_example{
    .before = "SELECT avg(n) FROM (SELECT count(v) AS n FROM c GROUP BY pid)",
    .prepared_by = "derived_table_inlining projection_removal",
    .after =
        "Project CAST(count AS REAL) / count_2 AS expr (Aggregate count(c.v) AS count, count(DISTINCT c.pid) AS "
        "count_2 (Scan c (pid, v)))",
};
extern const Rule average_of_counts;

}  // namespace trustsql::plan::rules
