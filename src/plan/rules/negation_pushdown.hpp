// NOT moves inwards and is absorbed by comparisons.
//
// Law        NOT (a < b) = a >= b, and so on for each comparison; NOT (p AND q) = NOT p OR NOT q; NOT (p OR q) = NOT p
//            AND NOT q;
//            NOT x IN S = x NOT IN S, also for BETWEEN, LIKE, IS NULL, EXISTS; NOT NOT p = p;
//            NOT CASE WHEN p THEN 1 ELSE 0 END = CASE WHEN p THEN 0 ELSE 1 END, if all results are literals
// Holds      in three-valued logic: both sides are NULL for the same operands. NOT NOT p = p if p itself is 0, 1
//            or NULL, or if only truth matters.
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample negation_pushdown_example{
    .before = "SELECT name FROM p WHERE NOT (age > 30 OR name LIKE 'A%')",
    .after = "Project p.name (Filter p.age <= 30 AND p.name NOT LIKE 'A%' (Scan p (name, age)))",
};
extern const Rule negation_pushdown;

}  // namespace trustsql::plan::rules
