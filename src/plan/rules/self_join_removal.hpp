// Removes joins of a table with itself on a key.
//
// Law        R JOIN[r = s] S = R LEFT JOIN[r = s] S = R, with R's columns replacing those of S, if r and s are the
//            same key of the same table; for the left join also if that use of the table in R may be filled with NULLs;
//            R semi-join[r = s] filter[q](S) = filter[q](R), R anti-join[r = s] filter[q](S) = filter[q IS NOT TRUE](R)
// Holds      by true keys; for primary keys that may hold NULL, under the assumption that they do not. For semi- and
//            anti-joins, if they have no other condition and q is not random.
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample self_join_removal_example{
    .before = "SELECT a.name FROM p AS a JOIN p AS b ON a.id = b.id WHERE b.age > 1",
    .after = "Project p.name (Filter p.age > 1 (Filter p.id = p.id (Scan p (id, name, age))))",
};
extern const Rule self_join_removal;

}  // namespace trustsql::plan::rules
