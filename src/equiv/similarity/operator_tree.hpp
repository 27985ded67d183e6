// Relational operator trees (FuncEvalGMN's ROT) as metrics compare them: those of the normalised plans, with the nodes
// of plan/graph.hpp. Aliases, the order of conditions and whatever the rules of src/plan normalise make no difference.
#pragma once

#include "equiv/similarity.hpp"
#include "equiv/similarity/match_tree.hpp"
#include "plan/graph.hpp"

namespace trustsql {

struct OperatorGraphs {
  plan::PlanGraph reference;
  plan::PlanGraph candidate;
};

// The graphs of the two normalised plans. Errors: invalid_argument, which names `metric`, if the pair has no catalog;
// those of parsing and resolving, prefixed with "a" or "b".
Result<OperatorGraphs> operator_graphs(const QueryPair& pair, std::string_view metric,
                                       const std::function<bool()>& stop);

// The tree of the graph's tree edges. A node's weight is that of the operator that contains it, Rels has 1.
MatchTree operator_tree(const plan::PlanGraph& graph, Leaves leaves, const ClauseWeights& weights = {});

}  // namespace trustsql
