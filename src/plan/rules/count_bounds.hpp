// Comparisons of counts with numbers that they cannot reach.
//
// Law        over groups, count(*) >= 1 and count(*) <> 0 are true, count(*) <= 0 and count(*) = 0 are not; over any
//            rows count(x) >= 0 is true, and so on
// Holds      since a group has at least one row. COUNT with FILTER is treated like count(x).
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample count_bounds_example{
    .before = "SELECT city FROM p GROUP BY city HAVING count(*) > 0",
    .after = "Project p.city (Aggregate count(*) AS count by p.city (Scan p (city)))",
};
extern const Rule count_bounds;

}  // namespace trustsql::plan::rules
