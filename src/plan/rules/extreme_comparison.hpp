// A value of a column beside the greatest or least value of that column.
//
// Law        R JOIN[r >= m] aggregate[m = max(t)](T) = R JOIN[r = m] aggregate[m = max(t)](T), where r is the column t
// of a row of
//            T that stands in R; r <= m likewise with MIN
// Holds      if T is a table as it is, since then r is one of the values; with the collation of MAX in the comparison.
// Example    WHERE age >= (SELECT max(age) FROM p)   becomes   WHERE age = (SELECT max(age) FROM p)
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

extern const Rule extreme_comparison;

}  // namespace trustsql::plan::rules
