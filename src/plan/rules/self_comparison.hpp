// Comparisons of an expression with itself.
//
// Law        a = a, a <= a and a >= a are true if a IS NOT NULL, else NULL; a <> a, a < a and a > a are never true;
//            a IS a = 1; a IS NOT a = 0
// Holds      if a is neither random nor contains a subquery (SQLite has no NaN); the first two if only truth matters,
//            or if a is never NULL.
// Example    WHERE a.id = a.id   becomes   WHERE a.id IS NOT NULL, which is removed if id is never NULL
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

extern const Rule self_comparison;

}  // namespace trustsql::plan::rules
