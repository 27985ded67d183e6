// Literals move to the right side of comparisons, where other rules look for them.
//
// Law        5 < x = x > 5, and so on for each comparison
// Holds      always: affinity and collation are stored in the comparison.
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample operand_order_example{
    .before = "SELECT name FROM p WHERE 3 = age",
    .after = "Project p.name (Filter p.age = 3 (Scan p (name, age)))",
};
extern const Rule operand_order;

}  // namespace trustsql::plan::rules
