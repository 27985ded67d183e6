// What sums, differences and products of integers rule out, for what the order of values alone does not decide.
//
// The constraints between terms (term_orders.hpp) are handed to the solver for integers (solver.hpp), with each class
// of terms as a number. Without such a solver nothing is ever refuted. Budget: that of the solver; larger problems than
// a fixed number of terms are not tried.
#pragma once

#include "equiv/prover/condition_store.hpp"

namespace trustsql::equiv {

// Whether no row satisfies the conditions.
bool refuted_by_arithmetic(ConditionStore& store);

}  // namespace trustsql::equiv
