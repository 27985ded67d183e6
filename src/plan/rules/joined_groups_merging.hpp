// Groups of the same rows by the same keys, joined on the keys, are computed together.
//
// Law        group[k](f(x))(R) JOIN[k = k'] group[k'](g(y))(R) = filter[k = k](group[k](f(x), g(y))(R)), with k for k'
//            above; the same for IS, and if one of the two is DISTINCT;
//            R LEFT JOIN[r = k] group[k](f(x))(S) LEFT JOIN[r = k'] group[k'](g(y))(S) = R LEFT JOIN[r = k]
//            group[k](f(x), g(y))(S)
// Holds      since a key has one group on each side. Both must read the same tables under the same conditions, by keys
//            that are plain columns under BINARY of which equal values are identical; COUNT, SUM, AVG, TOTAL, MIN and
//            MAX; nothing may be random.
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample joined_groups_merging_example{
    .before =
        "SELECT n, best FROM (SELECT city, count(*) AS n FROM p GROUP BY city) AS a JOIN (SELECT city, max(score) AS "
        "best FROM p GROUP BY city) AS b ON a.city = b.city",
    .prepared_by = "derived_table_inlining projection_removal",
    .after =
        "Project count, max (Project p.city, count, p.city AS expr, max (Filter p.city = p.city (Aggregate count(*) AS "
        "count, max(p.score) AS max by p.city (Scan p (city, score)))))",
};
extern const Rule joined_groups_merging;

}  // namespace trustsql::plan::rules
