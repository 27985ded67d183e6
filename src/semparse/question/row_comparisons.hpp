// Comparisons with a row that the question names:
//
//   stations with more docks than Old Market      docks > that of the station called so
//   patients older than Ann Lee                   born < hers
//   other clients in the same city as Acme        city = that of Acme, and another client than Acme
#pragma once

#include "semparse/question/linking.hpp"

namespace trustsql::semparse {

// Makes a value mention (ColumnTest::row) of each comparison of rows that the question asks for with one row of the
// same table that it names, where there is no doubt about the column. The mention takes its words from all others and
// marks them as quoted: they are no cues. Precondition: values are linked.
void link_row_comparisons(const Domain& domain, Question& question, Linking& linking);

}  // namespace trustsql::semparse
