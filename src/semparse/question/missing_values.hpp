// Missing values: "customers with no phone", "books that were not returned", "whose price is unknown" speak of rows
// that have no value in a column, and "was returned" of rows that have one.
//
// The words become a value mention (Absence) of the column: a condition like any other, which is IS NULL in SQL. Only
// columns that hold NULLs or empty texts are meant so; where none does, the words say something else, such as that a
// related table has no rows.
#pragma once

#include "semparse/question/linking.hpp"

namespace trustsql::semparse {

// Adds the absences that `question` speaks of to `linking`, which has everything else, and takes the mentions in their
// words away from it. Marks these words as quoted.
void link_missing(const Domain& domain, Question& question, Linking& linking);

}  // namespace trustsql::semparse
