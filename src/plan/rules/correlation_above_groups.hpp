// Equalities with the outer row move above the groups of a subquery that aggregates groups of the matches.
//
// Law        R apply aggregate(group[k](filter[s = r](S))) = R apply aggregate(filter[s = r](group[k, s](S)))
// Holds      for equalities that compare without conversion, under BINARY, and columns s of which equal values are
//            identical: in the rows that pass, s is the same everywhere. Only where correlated_aggregate_unnesting can
//            take the next step, since other rules move conditions on keys below the groups.
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

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
