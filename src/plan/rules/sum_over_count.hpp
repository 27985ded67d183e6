// A sum of reals over their number is their average.
//
// Law        project[s / n](aggregate[s = sum(x), n = count(x)](R)) = project[a](aggregate[a = avg(x)](R)); n may be
//            count(*) if x is never NULL, and s CAST(s AS REAL), since it is a real or NULL; all may have the same
//            FILTER
// Holds      if no value of x is an integer: SQLite then adds the values as reals both for SUM and for AVG, in all its
//            versions. Those of a column with the affinity REAL are none. Sums of integers are exact, or an error,
//            while AVG rounds those above 2^53, and it has no common form with them. Both are NULL if there are no
//            values. The same for conditions on groups.
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample sum_over_count_example{
    .before = "SELECT city, sum(score) / count(score) FROM p GROUP BY city",
    .after =
        "Project p.city, avg AS expr (Aggregate sum(p.score) AS sum, count(p.score) AS count, avg(p.score) AS avg by "
        "p.city (Scan p (city, score)))",
};
extern const Rule sum_over_count;

}  // namespace trustsql::plan::rules
