// A tree of labelled nodes, and how much of one tree is found in another: FuncEvalGMN's partial matching (Appendix
// A), for operator trees (RelPM) and syntax trees (ASTPM).
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace trustsql {

struct MatchTree {
  struct Node {
    std::uint64_t label = 0;                   // nodes are equal if their labels are
    double weight = 1;                         // in the tree's score, >= 0 (A.2)
    std::vector<std::uint32_t> children = {};  // their indexes, greater than the node's own
  };
  std::vector<Node> nodes = {};  // the root first; empty if there is no tree

  // Adds a node below `parent`, or the root to an empty tree; returns its index.
  std::uint32_t add(std::uint32_t parent, std::uint64_t label, double weight = 1);
};

// The maximum size of a tree: the time is proportional to the number of pairs of nodes.
inline constexpr std::size_t max_match_nodes = 4000;

// How well the nodes of `tree` are found in `other`, 0 to 1: the weighted mean over its nodes of the match with the
// node of `other` that each matches best. The match of two nodes is
//     alpha * (1 if their labels are equal, else 0) + (1 - alpha) * the mean over the node's children of their best
//     match with a child of the other node
// and for a leaf its first part alone (A.1; the paper does not include the body of Algorithm 3). It is 1 for a tree
// and itself. Precondition: 0 < alpha < 1. Errors: limit_exceeded.
Result<double> node_match(const MatchTree& tree, const MatchTree& other, double alpha);

// Algorithm 2: F_beta of recall, node_match(reference, candidate), and precision, node_match(candidate, reference).
// Precondition: beta > 0. Errors: limit_exceeded.
Result<double> partial_match(const MatchTree& reference, const MatchTree& candidate, double alpha, double beta);

}  // namespace trustsql
