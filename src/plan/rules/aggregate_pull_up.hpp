// Groups that are joined are groups of joined rows ("lazy aggregation": Yan and Larson, Eager Aggregation and Lazy
// Aggregation, VLDB 1995).
//
// Law        R JOIN[r = k, q] group[k](calls)(S) = filter[q](group[R, k](calls)(R JOIN[r = k] S))
//            R LEFT JOIN[r = k] group[k](calls)(S) = group[R, k](calls)(R LEFT JOIN[r = k] S), where for count(*)
//            stands nullif(count(k), 0), if what the other calls look at is NULL where the columns of S are
// Holds      if no two rows of R are the same, so that each group above is of one row of R; of primary keys that may
// hold NULL
//            under the assumption that they do not. For keys k that are plain columns, compared with BINARY and without
//            conversion, each equated with a column of R; for COUNT, SUM, AVG, MIN and MAX, and TOTAL but for left
//            joins. q, the conditions on results of the calls, stands above. Only where a single one of the joined
//            relations is grouped: of several, any could go first.
// Example    SELECT name FROM p JOIN (SELECT pid, count(*) AS n FROM c GROUP BY pid) AS d ON d.pid = p.id WHERE n > 3
//            becomes   SELECT name FROM p JOIN c ON c.pid = p.id GROUP BY p.id HAVING count(*) > 3
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

extern const Rule aggregate_pull_up;

}  // namespace trustsql::plan::rules
