// A condition that only removes rows which the aggregates ignore.
//
// Law        aggregate[f(x), g(x)](filter[x IS NOT NULL](R)) = aggregate[f(x), g(x)](R);
//            aggregate[f(x), count(*)](filter[x IS NOT NULL](R)) = aggregate[f(x), count(x)](R);
//            aggregate[count(x)](R) = aggregate[count(*)](filter[x IS NOT NULL](R))
// Holds      without GROUP BY, where no group can disappear; for COUNT, SUM, AVG, TOTAL, MIN and MAX whose argument or
//            FILTER is not used for a row in which x is NULL. The last only for the result of the query, where the
//            second is not used for count(*) alone: elsewhere aggregates over the same rows are computed together.
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample ignored_nulls_example{
    .before = "SELECT avg(age), max(age + id) FROM p WHERE age IS NOT NULL AND id > 3",
    .after =
        "Project avg, max (Aggregate avg(p.age) AS avg, max(p.age + p.id) AS max (Filter p.id > 3 (Scan p (id, age))))",
};
extern const Rule ignored_nulls;

}  // namespace trustsql::plan::rules
