// A condition on aggregates that is not true for NULLs drops the groups that contain only NULLs.
//
// Law        filter[p(f(x))](group[k](f(x), g(x))(R)) = filter[p(f(x))](group[k](f(x), g(x))(filter[x IS NOT
//            NULL](R)))
// Holds      if every aggregate is MIN, MAX, SUM, AVG, COUNT or TOTAL of the same column x, so that none of them uses
//            the removed rows, and p is not true if they are NULL, COUNT 0 and TOTAL 0.0. Equal keys must be
//            identical: of 'a' and 'A', equal under NOCASE, a group shows either. With GROUP BY only: without it,
//            ignored_nulls removes such a condition.
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample having_not_null_example{
    .before = "SELECT city FROM p GROUP BY city HAVING max(age) > 1",
    .after =
        "Project p.city (Filter max > 1 (Aggregate max(p.age) AS max by p.city (Filter p.age IS NOT NULL (Scan p (age, "
        "city)))))",
};
extern const Rule having_not_null;

}  // namespace trustsql::plan::rules
