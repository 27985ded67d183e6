// Comparisons of two columns of the same rows: "orders that were delivered after the promised date", "projects whose
// cost exceeds the budget".
#pragma once

#include "semparse/question/linking.hpp"

namespace trustsql::semparse {

// Makes a value mention (ColumnTest::compared) of each comparison that names two columns of one table and leaves no
// doubt about which; takes its words from all other mentions, and marks them as quoted: they are no cues.
void link_column_comparisons(const Domain& domain, Question& question, Linking& linking);

}  // namespace trustsql::semparse
