// The integer -2^63 and the real that is equal to it.
//
// SQLite stores a real without a fraction in a column INT or NUMERIC as an integer, but not -9223372036854775808.0. So
// such a column may hold two values that are equal and not identical: a + 1 and a || '' tell them apart. For all other
// numbers, equal values of such a column are identical.
#pragma once

#include "plan/plan.hpp"

namespace trustsql::plan {

// Sets Attribute::smallest_matters for the attributes of `plan`, a plan that no rule has changed yet.
void find_where_smallest_matters(Plan& plan);

}  // namespace trustsql::plan
