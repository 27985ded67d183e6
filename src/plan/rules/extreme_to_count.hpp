// A bound on the greatest value of a group asks whether the group has a row beyond the bound.
//
// Law        filter[max(x) > c](group[k](max(x))(R)) =
//            filter[n > 0](group[k](n = count(*) FILTER (WHERE x > c))(R)), and max(x) < c is n = 0 with x >= c; the
//            same for >=, <=, and for MIN the other way round;
//            for a condition p, max(p) = 1 is n > 0 with FILTER (WHERE p), and max(p) = 0 is n = 0; min(p) = 0 is n > 0
//            with FILTER (WHERE NOT p), and min(p) = 1 is n = 0; sum(p) > 0 is n > 0;
//            p may be 1 if the call has a FILTER
// Holds      with GROUP BY, if the comparison has the collation of MAX and converts no x. Forms with n = 0 only if x is
//            never NULL and the call has no FILTER, since the extreme of nothing is NULL. Only if nothing else uses the
//            extreme.
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample extreme_to_count_example{
    .before = "SELECT city FROM p GROUP BY city HAVING max(age > 30) = 1 AND count(*) > 1",
    .after =
        "Project p.city (Filter count > 0 AND count_2 > 1 (Aggregate count(*) FILTER (WHERE p.age > 30) AS count, "
        "count(*) AS count_2 by p.city (Scan p (age, city))))",
};
extern const Rule extreme_to_count;

}  // namespace trustsql::plan::rules
