// Outer joins whose rows of NULLs are filtered away are inner joins.
//
// Law        filter[p](R LEFT JOIN S) = filter[p](R JOIN S) if p is not true for any row in which the columns of S are
// NULL;
//            RIGHT the same the other way round, FULL becomes RIGHT, LEFT or inner by which sides p rejects
// Holds      if p is null or false there: comparisons, arithmetic, LIKE and built-in functions that are NULL for a NULL
// operand,
//            IS NOT NULL, and what AND and OR make of these. p may stand above, with joins, sorts and the like between.
// Example    SELECT * FROM a LEFT JOIN b ON a.id = b.id WHERE b.x > 3   becomes   an inner join
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

extern const Rule outer_to_inner;

}  // namespace trustsql::plan::rules
