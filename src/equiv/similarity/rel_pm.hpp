// RelPM: FuncEvalGMN's partial matching of relational operator trees (Appendix A), the rule-based baseline of its
// network.
//
// The trees are those of the normalised plans, with the nodes of plan/graph.hpp: so aliases, the order of conditions
// and what the rules of src/plan see through make no difference. A.2's weights of clauses are those of the operators
// under which a node stands; as the score is divided by their sum, RelPM(t, t) = 1 whatever they are.
#pragma once

#include "equiv/similarity.hpp"
#include "equiv/similarity/match_tree.hpp"
#include "plan/graph.hpp"

namespace trustsql {

// The tree edges of the graph.
MatchTree match_tree(const plan::PlanGraph& graph, const ClauseWeights& weights = {});

// Errors: invalid_argument where the pair has no catalog; those of parsing, resolving and of partial_match().
Result<double> rel_pm(const QueryPair& pair, const SimilarityOptions& options);

}  // namespace trustsql
