// RelPM: FuncEvalGMN's partial matching of relational operator trees (Appendix A), the rule-based baseline of its
// network.
//
// The clause weights of A.2 are those of the operators that contain a node; as scores are divided by their sums,
// RelPM(t, t) = 1 whatever they are.
#pragma once

#include "equiv/similarity.hpp"

namespace trustsql {

// Errors: those of operator_graphs() and partial_match().
Result<double> rel_pm(const QueryPair& pair, const SimilarityOptions& options);

}  // namespace trustsql
