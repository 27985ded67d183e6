// Truth values that are tested for truth.
//
// Law        where only truth counts: p IS TRUE = p; p IS NOT FALSE = p IS NOT FALSE; p <> 0 = p; (p = 1) = p and (p = 0) = NOT p
//            for p that is 0, 1 or NULL; NOT NOT p = p
// Holds      the third for p that is a number (of a text the conversions differ).
// Example    WHERE (age > 3) = 1   becomes   WHERE age > 3
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

extern const Rule truth_simplification;

}  // namespace trustsql::plan::rules
