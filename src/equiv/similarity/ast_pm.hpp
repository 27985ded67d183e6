// ASTPM: FuncEvalGMN's partial matching on syntax trees, the baseline of its RelPM, which does the same on operator
// trees.
//
// The trees are those of the query texts: aliases, the order of conditions and synonymous constructs make a
// difference.
#pragma once

#include "equiv/similarity.hpp"

namespace trustsql {

Result<double> ast_pm(const QueryPair& pair, const SimilarityOptions& options);

}  // namespace trustsql
