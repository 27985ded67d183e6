// Random walk positional encoding (section 4.2; Dwivedi et al. 2021): for each node the probability that a random walk
// is back after 1, 2, ... k steps.
#pragma once

#include "gmn/graph_input.hpp"
#include "gmn/matrix.hpp"

namespace trustsql::gmn {

// The encodings of the nodes of `first`, then of `second`, one row of `steps` probabilities for each. With
// Positions::separate each graph is walked alone; with Positions::merged they are one graph: node 0 of one is joined to
// node 0 of the other, and so are nodes whose subtrees match (the seeds of Figure 4). Edges are walked in both
// directions. Precondition: positions is not none.
Matrix walk_positions(const GraphInput& first, const GraphInput& second, Positions positions, int steps);

}  // namespace trustsql::gmn
