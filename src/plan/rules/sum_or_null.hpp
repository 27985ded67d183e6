// A sum that is written with the number of its values.
//
// Law        project[CASE WHEN n = 0 THEN NULL ELSE e(coalesce(s, c)) END](aggregate[n = count(x), s = sum(x)](R)) =
//            project[e(s)](aggregate[n = count(x), s = sum(x)](R)); n may be count(*) if x is never NULL; both may have
//            the same FILTER; the same for conditions on groups
// Holds      if x is always an integer or NULL: the sum is NULL just where there are no values. (That of the
//            reals 9e999 and -9e999 is NULL as well.) e must be NULL where s is.
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample sum_or_null_example{
    .before = "SELECT CASE WHEN count(id) = 0 THEN NULL ELSE coalesce(sum(id), 0) END FROM p GROUP BY city",
    .after = "Project sum AS expr (Aggregate count(p.id) AS count, sum(p.id) AS sum by p.city (Scan p (id, city)))",
};
extern const Rule sum_or_null;

}  // namespace trustsql::plan::rules
