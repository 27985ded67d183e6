// Sorting that nobody sees goes.
//
// Law        aggregate(sort(R)) = aggregate(R), and the same for joins, DISTINCT, set operators, sorting once more,
// EXISTS and IN;
//            sort[k](limit(sort[k](R))) = limit(sort[k](R)), the same with projections in between
// Holds      the first if between there and the result, or the next LIMIT, order is neither handed on nor looked at.
// group_concat
//            and the like look at it, and so do window functions. The second always: LIMIT keeps the order, and what k
//            leaves open stays open.
// Example    SELECT count(*) FROM (SELECT * FROM t ORDER BY x)   becomes   SELECT count(*) FROM t
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

extern const Rule sort_removal;
extern const Rule repeated_sort_removal;  // the second law

}  // namespace trustsql::plan::rules
