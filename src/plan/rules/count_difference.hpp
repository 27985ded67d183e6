// The difference of two counts is the count of the rows that only the first counts.
//
// Law        project[n - k](aggregate[n = count(*), k = count(x) FILTER (WHERE p)](R)) =
//            project[m](aggregate[m = count(*) FILTER (WHERE p IS NOT TRUE OR x IS NULL)](R));
//            n and k may have the same FILTER, which m then has as well
// Holds      with and without GROUP BY, since m is 0 over no rows, too. For count(x) without DISTINCT; x and p must not
// be
//            random. The same for conditions on groups.
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample count_difference_example{
    .before = "SELECT city, count(*) - count(age) FROM p GROUP BY city",
    .after =
        "Project p.city, count_3 AS expr (Aggregate count(*) AS count, count(p.age) AS count_2, count(*) FILTER (WHERE "
        "p.age IS NULL) AS count_3 by p.city (Scan p (age, city)))",
};
extern const Rule count_difference;

}  // namespace trustsql::plan::rules
