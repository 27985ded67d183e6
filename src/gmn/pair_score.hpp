// The score of sql_compare: how likely two queries are meant to be the same, from the verdict and the network.
#pragma once

#include "equiv/verdict.hpp"

namespace trustsql::gmn {

// From 0 (they differ outright) to 1 (proved). The odds of the grade's score (equiv/grade_score.hpp) are multiplied by
// exp(w (1 - d)), where d is the network's distance, at most 4, and 1 the distance between the same and the others in
// its training: the network orders pairs of one grade, and moves a pair past the next grade only where it is sure. w is
// a half: network and verdict look at the same queries, so the network's evidence does not count in full.
double pair_score(const equiv::ComparisonResult& comparison, double distance);

}  // namespace trustsql::gmn
