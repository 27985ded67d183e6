// Truth values that are tested for truth.
//
// Law        where only truth counts: p IS TRUE = p; p IS FALSE = NOT p; (p = 1) = (p <> 0) = p and (p = 0) = (p <> 1)
// = NOT p
//            for p that is 0, 1 or NULL; p IS NOT FALSE = p and p IS NOT TRUE = NOT p if p is never NULL; x = (x <> 0)
//            for a number x, written the second way; elsewhere p IS [NOT] TRUE and FALSE likewise, for p that is 0 or 1
// Holds      in three-valued logic; the last one for numbers only (of a text the conversions differ).
// Example    WHERE (age > 3) = 1   becomes   WHERE age > 3
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

extern const Rule truth_simplification;

}  // namespace trustsql::plan::rules
