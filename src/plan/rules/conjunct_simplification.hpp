// Conditions of filters and joins become flat lists without redundant conditions, and nested filters become one.
//
// Law        filter[p AND q](R) = filter[p, q](R) = filter[p](filter[q](R)); filter[1](R) = R; filter[p, p](R) =
//            filter[p](R);
//            x IS NOT NULL is removed if another condition is never true for a NULL x
// Holds      a row passes if all conditions are true, in any order. Repeated conditions must not be random.
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample conjunct_simplification_example{
    .before = "SELECT name FROM p WHERE (age > 3 AND 1) AND age IS NOT NULL",
    .after = "Project p.name (Filter p.age > 3 (Scan p (name, age)))",
};
extern const Rule conjunct_simplification;

}  // namespace trustsql::plan::rules
