// Truth values that are tested for truth.
//
// Law        if only truth matters: p IS TRUE = p; p IS FALSE = NOT p; (p = 1) = (p <> 0) = p and (p = 0) = (p <> 1) =
//            NOT p for p that is 0, 1 or NULL; p IS NOT FALSE = p and p IS NOT TRUE = NOT p if p is never NULL; x = (x
//            <> 0) for a number x, written the second way; coalesce(p, ..., 0) = coalesce(p, ...) for any p;
//            otherwise p IS [NOT] TRUE and FALSE likewise, for p that is 0 or 1; always: NOT x = (x = 0) for a number x
// Holds      in three-valued logic; those about numbers for numbers only (for text, the conversions differ).
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample truth_simplification_example{
    .before = "SELECT name FROM p WHERE (age > 3) = 1",
    .after = "Project p.name (Filter p.age > 3 (Scan p (name, age)))",
};
extern const Rule truth_simplification;

}  // namespace trustsql::plan::rules
