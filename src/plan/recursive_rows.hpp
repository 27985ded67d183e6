// Whether the rows of a recursive UNION stay distinct.
#pragma once

#include "plan/plan.hpp"

namespace trustsql::plan {

// Whether the rows of `recursive`, a UNION, differ as rows of the common table too. SQLite drops rows that have already
// been in the queue first, and then converts the others to the affinities of the columns, so 9007199254740993 and
// 9007199254740992.0 may become two equal rows of a REAL column, and 1 and '1' of an INTEGER one.
bool stays_distinct(const Recursive& recursive, const Plan& plan);

}  // namespace trustsql::plan
