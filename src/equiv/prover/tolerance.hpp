// What a question lets pass, worked into the plans before they are proved the same.
#pragma once

#include "plan/plan.hpp"

namespace trustsql::equiv {

// Takes from a normalised plan the row that an aggregate without GROUP BY makes of no rows, where that is nothing but
// NULLs and zeros; then the query has no row there. Returns whether it did.
bool drop_row_of_nothing(plan::Plan& plan);

// For databases in which no two texts, those of the queries included, differ in the case of letters only: writes texts
// that stored columns are compared with in one case in both plans, and compares stored columns by BINARY instead of
// NOCASE for equality. Where two texts of the queries differ in that, no stored text is either of them. Returns whether
// it changed anything.
bool unify_letter_case(plan::Plan& a, plan::Plan& b);

}  // namespace trustsql::equiv
