// Literals move to the right side of comparisons, where other rules look for them.
//
// Law        5 < x = x > 5, and so on for each comparison
// Holds      always: affinity and collation are stored in the comparison.
// Example    WHERE 3 = age   becomes   WHERE age = 3
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

extern const Rule operand_order;

}  // namespace trustsql::plan::rules
