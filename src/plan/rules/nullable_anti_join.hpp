// NOT IN with values that may be NULL, as conditions of its own for the NULLs.
//
// Law        R anti-join[p, (r = s) IS NOT FALSE] S
//            = filter[r IS NOT NULL OR NOT EXISTS filter[p](S)](R anti-join[p, r = s] S anti-join[p, s IS NULL] S)
// Holds      since r = s is NULL if and only if r or s is; the same for the other comparisons, except IS. S must not be
//            random. The second anti-join is left out if s, the filter if r is never NULL.
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample nullable_anti_join_example{
    .before = "SELECT name FROM p WHERE age NOT IN (SELECT v FROM c)",
    .prepared_by = "in_to_semi_join",
    .after =
        "Project p.name (Filter p.age IS NOT NULL OR NOT EXISTS (SELECT * FROM subquery1) (Join anti on c_2.v IS NULL "
        "(Join anti on p.age = c.v (Scan p (name, age), Scan c (v)), Scan c AS c_2 (v)), subquery1: Scan c AS c_3 "
        "(v)))",
};
extern const Rule nullable_anti_join;

}  // namespace trustsql::plan::rules
