// Values that are equal but not the same: 1 and 1.0.
//
// DISTINCT, GROUP BY, set operations, MIN and MAX keep one of several equal values, and SQLite does not say which. That
// is of no matter where the value reaches the result, in which 1 and 1.0 count as equal, or where it is compared as a
// number. It leaves the result open where something above tells the two apart: text affinity, typeof(), a division.
#pragma once

#include "plan/plan.hpp"

namespace trustsql::equiv {

// What in the query of `plan` distinguishes merged values, in words; nullptr if nothing does.
const char* find_merged_values_told_apart(const plan::Plan& plan);

}  // namespace trustsql::equiv
