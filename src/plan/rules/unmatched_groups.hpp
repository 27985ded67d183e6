// Groups without matches are the rows of a left join without matches.
//
// Law        filter[count(s) = 0](group[k](R LEFT JOIN[p] S)) = group[k](filter[s IS NULL](R LEFT JOIN[p] S))
// Holds      if s is a column of S that is never NULL in a match, and the keys k distinguish the rows of R: a group has
//            the matches of one row of R then, or that row alone. Keys are compared under BINARY; for primary keys that
//            may hold NULL, under the assumption that they do not.
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample unmatched_groups_example{
    .before = "SELECT p.id FROM p LEFT JOIN c ON c.pid = p.id GROUP BY p.id HAVING count(c.pid) = 0",
    .after =
        "Project p.id (Aggregate count(c.pid) AS count by p.id (Filter c.pid IS NULL (Join left on c.pid = p.id (Scan "
        "p (id), Scan c (pid)))))",
};
extern const Rule unmatched_groups;

}  // namespace trustsql::plan::rules
