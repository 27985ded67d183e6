// A single row that is joined below groups is joined with the groups.
//
// Law        group[k, s](calls)(R JOIN[q] S) = group[k](calls)(R) JOIN[q] S
// Holds      if S has at most one row, and s are its columns or expressions over them; bare columns of S are treated
//            like keys. Neither the other keys and calls nor the conditions on R may use S, nor q and s use R. Nothing
//            may be random. For primary keys that may hold NULL, under the assumption that they do not.
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample single_row_above_groups_example{
    .before = "SELECT pid, sum(v), most FROM c, (SELECT max(age) AS most FROM p) GROUP BY pid, most",
    .prepared_by = "derived_table_inlining projection_removal",
    .after =
        "Project c.pid, sum, max (Project c.pid, max, sum (Join inner (Aggregate sum(c.v) AS sum by c.pid (Scan c "
        "(pid, "
        "v)), Aggregate max(p.age) AS max (Scan p (age)))))",
};
extern const Rule single_row_above_groups;

}  // namespace trustsql::plan::rules
