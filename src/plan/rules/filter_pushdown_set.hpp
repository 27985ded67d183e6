// Filters move below operators that only sort, deduplicate or append rows.
//
// Law        filter[p](sort(R)) = sort(filter[p](R)); filter[p](distinct(R)) = distinct(filter[p](R));
//            filter[p](R UNION ALL S) = filter[p](R) UNION ALL filter[p](S);
//            filter[p](window(R)) = window(filter[p](R)) if p looks only at columns that all its windows are partitioned by
// Holds      the second and the last if rows that count as equal agree in what p looks at: columns compared with BINARY that do
//            not mix 1 and 1.0 (an integer below a REAL column of the first arm of UNION ALL is shown as 3 or as 3.0 by SQLite,
//            as it happens to run the query). p is neither random nor, but for sort, contains a subquery. Never below a LIMIT.
// Example    SELECT * FROM (SELECT a FROM t UNION ALL SELECT b FROM u) WHERE a > 3   becomes   a filter on each of t and u
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

extern const Rule filter_pushdown_set;

}  // namespace trustsql::plan::rules
