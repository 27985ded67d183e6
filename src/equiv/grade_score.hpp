// A score for pairs of queries, based on the comparison result.
#pragma once

#include "equiv/verdict.hpp"

namespace trustsql::equiv {

// How likely the queries of `comparison` are meant to be the same, from 0 (they differ outright) to 1 (proved).
// Grades are ordered and spaced as people judge pairs: docs/methods.md explains how the numbers were determined.
double grade_score(const ComparisonResult& comparison);

}  // namespace trustsql::equiv
