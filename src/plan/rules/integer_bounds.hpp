// Bounds on integers in one form.
//
// Law        x > a = x >= a + 1; x < a = x <= a - 1; x > 2.5 = x >= 3; x = 2.5 is never true
// Holds      if x is always an integer or NULL: a rowid, a STRICT integer column, COUNT(*), a length. A column
//            declared INT may hold 2.5 and 'abc' as well; for it, the law holds only under the assumption that values
//            have their declared types. Not if the bound would not fit into 64 bits.
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample integer_bounds_example{
    .before = "SELECT city FROM p GROUP BY city HAVING count(*) > 2",
    .after = "Project p.city (Filter count >= 3 (Aggregate count(*) AS count by p.city (Scan p (city))))",
};
extern const Rule integer_bounds;

}  // namespace trustsql::plan::rules
