// Semi- and anti-joins on the keys of groups move below the GROUP BY, and below windows on the keys of all partitions.
//
// Law        group[k](calls)(R) semi-join[p(k)] S = group[k](calls)(R semi-join[p(k)] S), and the same for anti-joins;
//            filter[q](group[k](calls)(R)) semi-join[p(k)] S = filter[q](group[k](calls)(R semi-join[p(k)] S));
//            the same for window[f OVER (PARTITION BY k)](R)
// Holds      if the rows of a group agree on p: its keys are compared under BINARY, and do not mix 1 and 1.0, unless p
//            compares plain columns; p is not random and has no subquery.
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample semi_join_below_groups_example{
    .before = "SELECT age, n FROM (SELECT age, count(*) AS n FROM p GROUP BY age) WHERE age IN (SELECT v FROM c)",
    .prepared_by = "in_to_semi_join derived_table_inlining projection_removal",
    .after = "Aggregate count(*) AS count by p.age (Join semi on p.age = c.v (Scan p (age), Scan c (v)))",
};
extern const Rule semi_join_below_groups;

}  // namespace trustsql::plan::rules
