// Filters move below operators that only sort, deduplicate or append rows.
//
// Law        filter[p](sort(R)) = sort(filter[p](R)); filter[p](distinct(R)) = distinct(filter[p](R));
//            filter[p](R UNION ALL S) = filter[p](R) UNION ALL filter[p](S);
//            filter[p](window(R)) = window(filter[p](R)) if p uses only columns that all its windows are partitioned
//            by
// Holds      the second and the last if rows that count as equal are identical in the columns of p: columns compared
//            under BINARY that do not mix 1 and 1.0. If the branches of UNION ALL have different affinities, SQLite
//            does not define how their column compares (datatype3.html, section 3.3), and may differ from the plan. p
//            is neither random nor, except for sort, contains a subquery. Never below a LIMIT.
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample filter_pushdown_set_example{
    .before = "SELECT a FROM (SELECT age AS a FROM p UNION ALL SELECT v FROM c) WHERE a > 3",
    .prepared_by = "derived_table_inlining",
    .after =
        "Project column (UnionAll (Filter p.age > 3 (Project p.age (Scan p (age))), Filter c.v > 3 (Project c.v (Scan "
        "c (v)))))",
};
extern const Rule filter_pushdown_set;

}  // namespace trustsql::plan::rules
