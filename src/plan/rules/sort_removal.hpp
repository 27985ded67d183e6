// Sorting that nobody sees goes.
//
// Law        aggregate(sort(R)) = aggregate(R), and the same for joins, DISTINCT, set operators, sorting once more, EXISTS and IN
// Holds      if between there and the result, or the next LIMIT, order is neither handed on nor looked at. group_concat and the
//            like look at it, and so do window functions.
// Example    SELECT count(*) FROM (SELECT * FROM t ORDER BY x)   becomes   SELECT count(*) FROM t
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

extern const Rule sort_removal;

}  // namespace trustsql::plan::rules
