// What becomes of rows when SQLite stores those of a compound query.
//
// The arms of a compound query may have columns of different affinities. Versions of SQLite differ in which of these a
// column of the whole has, and in whether rows are converted to it: 3.40 does so only where it stores them in a table.
#pragma once

#include "plan/plan.hpp"

namespace trustsql::plan {

// Whether the rows of `recursive`, a UNION, differ as rows of the common table too, and whether each of its values, or
// of those of a UNION ALL, stays equal to itself. SQLite drops rows that have already been in the queue first, and then
// converts the others to the affinities of the columns, so 9007199254740993 and 9007199254740992.0 may become two equal
// rows of a REAL column, and 1 and '1' of an INTEGER one.
bool stays_distinct(const Recursive& recursive, const Plan& plan);

}  // namespace trustsql::plan
