// A subquery that aggregates the partners of a row is a left join with their groups.
//
// Law        R apply aggregate[calls](filter[r = s, q](S)) = R LEFT JOIN[r = s] group[s](calls)(filter[q](S)),
//            where for a row without partners count and total are 0
// Holds      for equalities that compare as they are, with BINARY, if nothing else in the subquery depends on R; for
// COUNT, SUM, AVG,
//            TOTAL, MIN, MAX and GROUP_CONCAT, no bare columns. Each row has one group at most, since s is the key of
//            the groups.
// Example    SELECT name FROM p WHERE age > (SELECT avg(v) FROM c WHERE c.pid = p.id)
//            becomes   p LEFT JOIN group[pid](avg(v))(c) ON id = pid, filtered by age > avg(v)
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

extern const Rule correlated_aggregate_unnesting;

}  // namespace trustsql::plan::rules
