// RelPM: FuncEvalGMN's partial matching of relational operator trees (Appendix A), the rule-based baseline of its
// network.
//
// The trees are those of the normalised plans, with the nodes of plan/graph.hpp: aliases, the order of conditions and
// whatever the rules of src/plan normalise make no difference. The clause weights of A.2 are those of the operators
// that contain a node; as the score is divided by their sum, RelPM(t, t) = 1 whatever they are.
#pragma once

#include "equiv/similarity.hpp"
#include "equiv/similarity/match_tree.hpp"
#include "plan/graph.hpp"

namespace trustsql {

// The tree of the graph's tree edges.
MatchTree match_tree(const plan::PlanGraph& graph, const ClauseWeights& weights = {});

// Errors: invalid_argument if the pair has no catalog; those of parsing, resolving and partial_match().
Result<double> rel_pm(const QueryPair& pair, const SimilarityOptions& options);

}  // namespace trustsql
