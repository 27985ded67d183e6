// The first of sorted values becomes the maximum or minimum.
//
// Law        limit[1](sort[x DESC](project[x](R))) = group[](max(x))(R), which has no row if R has none; min(x) for
//            ascending order;
//            (SELECT max(x) ... grouped by nothing) = (SELECT max(x) ...) as a value, the same for MIN, SUM and AVG
// Holds      if nothing but x is returned; if NULLs come first, only if x is never NULL; for values compared under
//            BINARY. The second since both are NULL if there are no rows.
// Example    WHERE age = (SELECT age FROM p ORDER BY age DESC LIMIT 1)   becomes   WHERE age = (SELECT max(age) FROM p)
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

extern const Rule top_row_to_extreme;
// The second law, in expressions and below an Apply.
extern const Rule grouped_scalar;
extern const Rule grouped_scalar_applied;

}  // namespace trustsql::plan::rules
