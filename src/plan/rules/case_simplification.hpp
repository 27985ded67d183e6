// Simplifies CASE if its outcome is known, or if it is a condition in disguise.
//
// Law        CASE x WHEN y THEN ... = CASE WHEN x = y THEN ...; branches that are never true are removed, and so are
//            those after a branch that is always true; CASE WHEN p THEN a ELSE a END = a;
//            if only truth matters, CASE WHEN p THEN 1 ELSE 0 END = p; otherwise it is p IS TRUE, with 0 and 1
//            exchanged p IS NOT TRUE;
//            if only truth matters and all results are literals: CASE WHEN p THEN 1 WHEN q THEN NULL ELSE 1 END
//            = p OR q IS NOT TRUE, and so on, if no condition is needed twice;
//            if only truth matters, CASE WHEN p THEN a ELSE b END > c = p AND a > c, and likewise for the other
//            comparisons but IS and IS NOT, if b is NULL, or b and c are literals for which the comparison is not true;
//            CASE WHEN x = y THEN NULL ELSE x END = nullif(x, y); CASE WHEN x IS NULL THEN y ELSE x END =
//            coalesce(x, y)
// Holds      the first and the last two if x is neither random nor contains a subquery; nullif if the comparison
//            converts nothing, since NULLIF does not.
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample case_simplification_example{
    .before = "SELECT name FROM p WHERE CASE WHEN age > 3 THEN 1 ELSE 0 END",
    .after = "Project p.name (Filter p.age > 3 (Scan p (name, age)))",
};
extern const Rule case_simplification;

}  // namespace trustsql::plan::rules
