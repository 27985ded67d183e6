// A sum of truth values is a count if its NULL is replaced by 0.
//
// Law        project[coalesce(s, 0)](aggregate[s = sum(p)](R)) =
//            project[n](aggregate[n = count(*) FILTER (WHERE p)](R));
//            the same for sum(CASE WHEN p THEN 1 ELSE 0 END) and for sum(1) FILTER (WHERE p);
//            project[coalesce(CASE WHEN n = 0 THEN NULL ELSE k END, 0)](aggregate[n = count(*), k = count(x)](R)) =
//            project[k](aggregate[n = count(*), k = count(x)](R)); the same for n = count(s) over a left join, if s is
//            NULL only in rows without a match, and x is NULL in these;
//            filter[CASE WHEN n = 0 THEN NULL ELSE k END > 2] = filter[k > 2], and other bounds that 0 does not meet
// Holds      with and without GROUP BY, since the sum is NULL if no row has a value to add, and the count then 0; p is
//            0, 1 or NULL. In the second, k may be any count of the same rows: it is 0 if there are none. IFNULL is
//            COALESCE.
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample coalesced_count_example{
    .before = "SELECT city, coalesce(sum(age > 30), 0) FROM p GROUP BY city",
    .after =
        "Project p.city, count AS expr (Aggregate sum(p.age > 30) AS sum, count(*) FILTER (WHERE p.age > 30) AS count "
        "by p.city (Scan p (age, city)))",
};
extern const Rule coalesced_count;

}  // namespace trustsql::plan::rules
