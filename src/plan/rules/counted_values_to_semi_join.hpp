// Groups with each of several values, counted by the number of different values (relational division by constants).
//
// Law        filter[count(DISTINCT x) = n](group[k](count(DISTINCT x))(filter[x IN (c1, ..., cn)](R)))
//            = group[k](filter[x = c1](R)) semi-join[k IS k2] filter[x = c2](R2) ... semi-join[k IS kn] filter[x =
//            cn](Rn), with n for the count
// Holds      for different constants that are not NULL, compared without conversion under BINARY, if nothing else is
//            computed. The keys must be columns compared under BINARY, of which equal values are identical. R must not
//            be random.
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample counted_values_to_semi_join_example{
    .before = "SELECT pid FROM c WHERE w IN ('a', 'b') GROUP BY pid HAVING count(DISTINCT w) = 2",
    .prepared_by = "comparison_conversion",
    .after =
        "Project c.pid (Project c.pid, 2 AS expr (Join semi on c.pid IS c_2.pid (Aggregate by c.pid (Filter c.w = 'a' "
        "(Scan c (pid, w))), Filter c_2.w = 'b' (Scan c AS c_2 (pid, w)))))",
};
extern const Rule counted_values_to_semi_join;

}  // namespace trustsql::plan::rules
