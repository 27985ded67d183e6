// A subquery that aggregates the matches of a row becomes a left join with their groups.
//
// Law        R apply aggregate[calls](filter[r = s, q](S)) = R LEFT JOIN[r = s] group[s](calls)(filter[q](S)),
//            where count and total are 0 for a row without matches
// Holds      for equalities that compare without conversion, under BINARY, if nothing else in the subquery depends on
//            R; for COUNT, SUM, AVG, TOTAL, MIN, MAX and GROUP_CONCAT, without bare columns. Each row has at most one
//            group, since s is the key of the groups.
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample correlated_aggregate_unnesting_example{
    .before = "SELECT name FROM p WHERE age > (SELECT avg(v) FROM c WHERE c.pid = p.id)",
    .prepared_by = "scalar_subquery_unnesting",
    .after =
        "Project p.name (Project p.id, p.name, p.age (Filter p.age > avg (Project p.id, p.name, p.age, avg (Join left "
        "on c.pid = p.id (Scan p (id, name, age), Aggregate avg(c.v) AS avg by c.pid (Scan c (pid, v)))))))",
};
extern const Rule correlated_aggregate_unnesting;

// Prepares subqueries that aggregate groups of the matches: the equalities with the outer row move above the groups.
//
// Law        R apply aggregate(group[k](filter[s = r](S))) = R apply aggregate(filter[s = r](group[k, s](S)))
// Holds      for equalities that compare without conversion, under BINARY, and columns s of which equal values are
//            identical: in the rows that pass, s is the same everywhere. Only where the rule above can then take the
//            next step, since other rules move conditions on keys below the groups.
inline constexpr RuleExample correlation_above_groups_example{
    .before =
        "SELECT name FROM p WHERE age > (SELECT avg(n) FROM (SELECT count(*) AS n FROM c WHERE c.pid = p.id GROUP "
        "BY w))",
    .prepared_by = "scalar_subquery_unnesting derived_table_inlining projection_removal",
    .after =
        "Project p.name (Filter p.age > avg (Apply scalar (Scan p (id, name, age), Aggregate avg(count) AS avg (Filter "
        "c.pid = p.id (Aggregate count(*) AS count by c.w, c.pid (Scan c (pid, w)))))))",
};
extern const Rule correlation_above_groups;

}  // namespace trustsql::plan::rules
