// Aggregates of partial aggregates are aggregates of the rows.
//
// Law        group[k](sum(n), sum(s), min(a), max(b)) over group[k, ...](n = count(x), s = sum(y), a = min(z), b =
// max(z))(R)
//            = group[k](count(x), sum(y), min(z), max(z))(R); the same over a UNION ALL of such groups;
//            of a key below that is none above: min(y) = min(y) over the rows, the same for max; f(DISTINCT y) as well,
//            and f(y) = f(DISTINCT y) for count, sum, avg and total if it is the only one
// Holds      if the keys above are keys below, compared with BINARY; without GROUP BY above only where there is none
// below, since
//            SUM over no rows is NULL and COUNT is 0; of columns of one affinity. Partial aggregates have neither
//            DISTINCT nor FILTER. A sum that overflows half-way, or of reals, may differ as it may for any order of the
//            rows.
// Example    SELECT x, sum(n) FROM (SELECT x, y, count(*) AS n FROM t GROUP BY x, y) GROUP BY x
//            becomes   SELECT x, count(*) FROM t GROUP BY x
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

extern const Rule partial_aggregate_merging;

}  // namespace trustsql::plan::rules
