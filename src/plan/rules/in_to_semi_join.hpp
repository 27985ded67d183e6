// IN (SELECT ...) in WHERE becomes a semi-join, NOT IN an anti-join.
//
// Law        filter[x IN (S)](R) = R semi-join[x = y] S, where y is the column of S;
//            filter[x NOT IN (S)](R) = R anti-join[(x = y) IS NOT FALSE] S;
//            row values likewise with a condition for each column. ORDER BY and DISTINCT in S are removed, conditions
//            of S on columns of R move into the join.
// Holds      as the comparison of IN is the same as that of = here, with the affinity and collation that SQLite uses.
//            The second: x NOT IN (S) is true if x = y is false for every row; if neither can be NULL, (x = y) IS NOT
//            FALSE is x = y (truth_simplification). x has no subquery and is not random.
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample in_to_semi_join_example{
    .before = "SELECT name FROM p WHERE id IN (SELECT pid FROM c WHERE v > 3)",
    .after = "Project p.name (Join semi on p.id = c.pid (Scan p (id, name), Filter c.v > 3 (Scan c (pid, v))))",
};
extern const Rule in_to_semi_join;

}  // namespace trustsql::plan::rules
