// Arithmetic that changes nothing.
//
// Law        x + 0 = x - 0 = x * 1 = x / 1 = x; CAST(x AS INTEGER) = CAST(x AS NUMERIC) = x
// Holds      the first for x that is a number or NULL, with the integers 0 and 1: texts would become numbers. The
// second for x
//            that is an integer or NULL; of columns declared so under the assumption that they hold what they declare.
//            Not -(a - b) = b - a: where one of the differences is 2^63 it is a real, and the other an integer.
// Example    SELECT (a + b) * 1   becomes   SELECT a + b
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

extern const Rule arithmetic_simplification;

}  // namespace trustsql::plan::rules
