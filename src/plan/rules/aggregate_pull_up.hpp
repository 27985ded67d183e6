// Joined groups become groups of joined rows ("lazy aggregation": Yan and Larson, Eager Aggregation and Lazy
// Aggregation, VLDB 1995).
//
// Law        R JOIN[r = k, q] group[k](calls)(S) = filter[q](group[R, k](calls)(R JOIN[r = k] S))
//            R LEFT JOIN[r = k] group[k](calls)(S) = group[R, k](calls)(R LEFT JOIN[r = k] S), where nullif(count(k),
//            0) replaces count(*), and CASE WHEN count(k) = 0 THEN NULL ELSE count(x) END replaces count(x), if the
//            arguments of the calls are NULL where the columns of S are, or, of counts, their FILTERs are not true
// Holds      if no two rows of R are the same, so that each group above belongs to one row of R; for primary keys that
//            may hold NULL, under the assumption that they do not. For keys k that are plain columns, compared under
//            BINARY and without conversion, each equated with a column of R; for COUNT, SUM, AVG, MIN and MAX, and for
//            TOTAL except over left joins. The filter q has the conditions on results of the calls. Of several joined
//            groups, those whose rows go through fewer aggregations than those of the others are pulled up, over the
//            relations that are not groups; the others stay joined.
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample aggregate_pull_up_example{
    .before =
        "SELECT name FROM p JOIN (SELECT pid, count(*) AS n FROM c GROUP BY pid) AS d ON d.pid = p.id WHERE n > 3",
    .prepared_by = "derived_table_inlining projection_removal",
    .after =
        "Project p.name (Filter count > 3 (Aggregate count(*) AS count by p.id, p.name, c.pid (Join inner on c.pid = "
        "p.id (Scan p (id, name), Scan c (pid)))))",
};
extern const Rule aggregate_pull_up;

}  // namespace trustsql::plan::rules
