// Differences that a question tolerates, worked into the plans before they are proved equal.
#pragma once

#include "plan/plan.hpp"

namespace trustsql::equiv {

// Removes from a normalised plan the row that an aggregate without GROUP BY returns over no rows, if it consists only
// of NULLs and zeros; the query then has no row there. Returns whether it did.
bool remove_empty_aggregate_row(plan::Plan& plan);

// For databases in which no two texts, including those of the queries, differ in letter case only: writes text that
// stored columns are compared with in one letter case in both plans, and compares stored columns for equality under
// BINARY instead of NOCASE. If two texts of the queries differ in letter case only, no stored text equals either of
// them. Returns whether it changed anything.
bool unify_letter_case(plan::Plan& a, plan::Plan& b);

}  // namespace trustsql::equiv
