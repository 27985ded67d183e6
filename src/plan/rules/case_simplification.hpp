// CASE whose outcome is known, or which is a condition in disguise.
//
// Law        CASE x WHEN y THEN ... = CASE WHEN x = y THEN ...; branches that are never true go, those that follow one
// that is
//            always true as well; CASE WHEN p THEN a ELSE a END = a;
//            where only truth counts, CASE WHEN p THEN 1 ELSE 0 END = p; elsewhere it is p IS TRUE, with 0 and 1
//            exchanged p IS NOT TRUE
// Holds      the first if x is neither random nor contains a subquery.
// Example    WHERE CASE WHEN age > 3 THEN 1 ELSE 0 END   becomes   WHERE age > 3
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

extern const Rule case_simplification;

}  // namespace trustsql::plan::rules
