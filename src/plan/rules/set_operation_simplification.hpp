// Compound queries with fewer kinds of operators.
//
// Law        R UNION S = distinct(R UNION ALL S); (R UNION ALL S) UNION ALL T = R UNION ALL S UNION ALL T;
//            R INTERSECT S = distinct(R) semi-join[r1 IS s1, ..., rn IS sn] S;
//            R EXCEPT S = distinct(R) anti-join[r1 IS s1, ..., rn IS sn] S
// Holds      always: set operators treat NULL as equal to NULL, as IS does, and compare without affinity and by the
//            collation of the column. Of values that are equal but not identical, such as 1 and 1.0, either may be
//            returned, in SQLite as well.
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample set_operation_simplification_example{
    .before = "SELECT city FROM p EXCEPT SELECT w FROM c",
    .after =
        "Distinct (Project p.city AS expr (Join anti on p.city IS c.w (Project p.city (Scan p (city)), Project c.w "
        "(Scan c (w)))))",
};
extern const Rule set_operation_simplification;

}  // namespace trustsql::plan::rules
