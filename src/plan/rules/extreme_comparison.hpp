// Comparisons of a column with the maximum or minimum of the same column.
//
// Law        R JOIN[r >= m] aggregate[m = max(t)](T) = R JOIN[r = m] aggregate[m = max(t)](T), where r is the column t
//            of a row of T that is part of R; r <= m likewise with MIN
// Holds      if T is an unfiltered table, since r is then one of the values; with the collation of MAX in the
//            comparison.
// Example    WHERE age >= (SELECT max(age) FROM p)   becomes   WHERE age = (SELECT max(age) FROM p)
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

extern const Rule extreme_comparison;

}  // namespace trustsql::plan::rules
