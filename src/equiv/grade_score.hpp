// A score for pairs of queries from what was found out about them.
#pragma once

#include "equiv/verdict.hpp"

namespace trustsql::equiv {

// How likely the queries of `comparison` are to be meant the same, from 0 (they differ outright) to 1 (proved). Grades
// are ordered and spaced as people judge pairs: see docs/methods.md for how the numbers were found.
double grade_score(const Comparison& comparison);

}  // namespace trustsql::equiv
