// A FILTER on the matches of a left join that all aggregates have is a condition of the join.
//
// Law        group[k](f(s) FILTER (WHERE q), ...)(R LEFT JOIN[p] S) = group[k](f(s), ...)(R LEFT JOIN[p, q] S), where
//            count(t) replaces count(*)
// Holds      for keys over R, so that the groups are the same: each row of R is there, matched or not. q must not be
//            true for the row of NULLs that stands for no match, and the aggregates ignore that row: COUNT, SUM, AVG,
//            TOTAL, MIN and MAX of what is NULL if the columns of S are; t is a column of S for whose NULL q is not
//            true. Without bare columns; q must be neither random nor contain a subquery.
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample filter_of_matches_example{
    .before =
        "SELECT p.id, count(CASE WHEN v > 3 THEN 1 END), sum(CASE WHEN v > 3 THEN v END) FROM p LEFT JOIN c ON pid = "
        "p.id GROUP BY p.id",
    .prepared_by = "aggregate_filter count_simplification",
    .after =
        "Project p.id, count, sum (Aggregate count(c.v) AS count, sum(c.v) AS sum by p.id (Join left on c.pid = p.id "
        "AND c.v > 3 (Scan p (id), Scan c (pid, v))))",
};
extern const Rule filter_of_matches;

}  // namespace trustsql::plan::rules
