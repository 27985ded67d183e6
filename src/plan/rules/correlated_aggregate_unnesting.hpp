// A subquery that aggregates the matches of a row becomes a left join with their groups.
//
// Law        R apply aggregate[calls](filter[r = s, q](S)) = R LEFT JOIN[r = s] group[s](calls)(filter[q](S)),
//            where count and total are 0 for a row without matches
// Holds      for equalities that compare without conversion, under BINARY, if nothing else in the subquery depends on
//            R; for COUNT, SUM, AVG, TOTAL, MIN, MAX and GROUP_CONCAT, without bare columns. Each row has at most one
//            group, since s is the key of the groups.
// Example    SELECT name FROM p WHERE age > (SELECT avg(v) FROM c WHERE c.pid = p.id)
//            becomes   p LEFT JOIN group[pid](avg(v))(c) ON id = pid, filtered by age > avg(v)
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

extern const Rule correlated_aggregate_unnesting;

}  // namespace trustsql::plan::rules
