// Removes sorting without effect.
//
// Law        aggregate(sort(R)) = aggregate(R), and the same for joins, DISTINCT, set operators, another sort, EXISTS
//            and IN;
//            sort[k](limit(sort[k](R))) = limit(sort[k](R)), the same with projections in between
// Holds      the first if the operators between the sort and the result, or the next LIMIT, neither preserve the order
//            nor depend on it. group_concat and similar aggregates depend on it, and so do window functions. The
//            second always: LIMIT preserves the order, including that of ties in k.
// Example    SELECT count(*) FROM (SELECT * FROM t ORDER BY x)   becomes   SELECT count(*) FROM t
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

extern const Rule sort_removal;
extern const Rule repeated_sort_removal;  // the second law

}  // namespace trustsql::plan::rules
