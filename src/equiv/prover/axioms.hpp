// What operators return, given what is known of their operands: axioms for the congruence closure (congruence.hpp).
//
//   a negated test has the opposite truth
//   an operator that is NULL on NULL is NULL if an operand is
//   an operator on known literals has the value that SQLite computes (plan/evaluate.hpp)
//   CASE has the value of the branch that is taken, COALESCE that of the first operand that is not NULL
//   a condition whose truth is known has the value 1, 0 or NULL, and the truth of a known value
//
// Budget: none of their own; the closure that calls them pays for each pass.
#pragma once

#include "equiv/prover/condition_store.hpp"

namespace trustsql::equiv {

// Applies the axioms to all terms of the store. Returns whether anything changed.
bool apply_axioms(ConditionStore& store);

}  // namespace trustsql::equiv
