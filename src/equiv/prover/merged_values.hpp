// Values that are equal but not identical: 1 and 1.0.
//
// DISTINCT, GROUP BY, set operations, MIN and MAX keep one of several equal values, and SQLite does not say which. That
// does not matter if the value reaches the result, in which 1 and 1.0 count as equal, or is compared as a number. The
// result is not determined if something above distinguishes the two: TEXT affinity, typeof(), a division. Nor does
// SQLite say whether a column CAST(x AS NUMERIC) of a subquery in FROM holds 1.0 or 1, or whether a condition on what a
// window partitions by is tested before or after the window is computed.
#pragma once

#include "plan/plan.hpp"

namespace trustsql::equiv {

// What in the query of `plan` distinguishes merged values, in words; nullptr if nothing does.
const char* find_distinguished_merged_values(const plan::Plan& plan);

}  // namespace trustsql::equiv
