// The operations of the tape on the nodes of many graphs, which lie one below the other in one matrix.
#pragma once

#include <span>
#include <vector>

#include "gmn/tape.hpp"

namespace trustsql::gmn {

// Edges by the rows of their ends and by their type. All spans have the same length.
struct EdgeList {
  std::span<const Index> from;
  std::span<const Index> to;
  std::span<const Index> type;
};

// The inner-graph messages before their last linear layer: row v of the result is the sum over the edges (u, v, e) of
//     relu(receivers[v] + senders[u] + types[e])
// which are the three parts of a linear layer over h_v, h_u and e_uv (section 4.3). The last layer of f_inner is linear
// and may be applied to the sum instead of to each message. Shapes: receivers and senders n x c, types t x c.
// On a tape that records, all three must want gradients.
Value sum_of_messages(Tape& tape, Value receivers, Value senders, Value types, const EdgeList& edges);

// Row v of the result is the mean of the rows of x at the other ends of the edges that lead to v; zeros without edges.
// `shares`: 1 / the number of edges that lead to each node.
Value mean_of_neighbours(Tape& tape, Value x, const EdgeList& edges, std::span<const float> shares);

// Rows of two graphs that are compared.
struct GraphPairRows {
  Eigen::Index first_begin = 0;
  Eigen::Index first_end = 0;
  Eigen::Index second_begin = 0;
  Eigen::Index second_end = 0;
};

// The cross-graph messages (section 4.3): for node v of one graph of a pair, over the nodes u of the other,
//     mu_v = sum of a_uv (r_v - r_u),   a_uv = softmax over u of r_v . r_u / sqrt(d)
// Shapes: r n x d; result n x d. `pairs` must outlive the pass. `attention` (may be null) receives for each pair the
// matrix of the weights of the second graph's nodes for the first's nodes, and then the reverse.
Value cross_graph_messages(Tape& tape, Value r, const std::vector<GraphPairRows>& pairs,
                           std::vector<Matrix>* attention = nullptr);

// Row g of the result is the sum of the rows ends[g - 1] to ends[g] - 1 of x (from 0 for the first).
Value sum_of_graphs(Tape& tape, Value x, const std::vector<Eigen::Index>& ends);

}  // namespace trustsql::gmn
