// The columns of the right side of an outer join, above the join: NULL in a row without a match.
//
// An expression that is NULL wherever the columns below it are NULL may stand for such a column above the join, too;
// any other expression may not (COALESCE(b.x, 0) is NULL in the row that the join adds).
//
// Budget: that of the condition solver.
#pragma once

#include "equiv/prover/search_state.hpp"

namespace trustsql::equiv {

// The columns of `rel` that stand for themselves above the join: they, not the expressions that compute them, are NULL
// in a row of NULLs.
Columns filled_columns(SearchState& state, const plan::Rel& rel);

// Binds the columns of `from` to those of `to`, where both are the right sides of corresponding joins. `matches`: what
// holds for rows with a match.
void bind_null_extended(SearchState& state, ConditionSolver& matches, const plan::Rel& to, const plan::Rel& from);

}  // namespace trustsql::equiv
