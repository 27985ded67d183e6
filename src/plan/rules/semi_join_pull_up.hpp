// Semi- and anti-joins move above joins, so that inner joins are adjacent.
//
// Law        (R semi-join[p] S) JOIN[q] T = (R JOIN[q] T) semi-join[p] S; the same on the left side of a left join, on
//            either side of an inner one, and for anti-joins and Applies of both kinds;
//            filter[p](R) semi-join S = filter[p](R semi-join S) holds as well, but filters move down
//            (filter_pushdown_join)
// Holds      always: whether a row has matches in S does not depend on T, and each row of T multiplies rows of R as a
//            whole.
// Example    SELECT * FROM (SELECT * FROM p WHERE id IN (SELECT pid FROM c)) AS q JOIN e ON e.i = q.id
//            becomes   (p JOIN e ON e.i = p.id) semi-join c
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

extern const Rule semi_join_pull_up;

}  // namespace trustsql::plan::rules
