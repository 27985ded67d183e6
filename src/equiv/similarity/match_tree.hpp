// A tree of labelled nodes, and how much of one tree is found in another: FuncEvalGMN's partial matching (Appendix
// A), for operator trees (RelPM) and syntax trees (ASTPM).
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "equiv/similarity/options.hpp"

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

// What the labels of leaves say when a query becomes a tree.
enum class Leaves {
  named,    // names, literals and parameters
  unnamed,  // only whether there is a name or a literal: the shape alone
};

// The maximum size of a tree: the time is proportional to the number of pairs of nodes.
inline constexpr std::size_t max_match_nodes = 4000;

// How well each node of `tree` is found in `other`, 0 to 1: its match with the node of `other` that it matches best.
// The match of two nodes is
//     alpha * (1 if their labels are equal, else 0) + (1 - alpha) * the mean over the node's children of their best
//     match with a child of the other node
// and for a leaf its first part alone (A.1; the paper does not include the body of Algorithm 3). All are 1 for a tree
// and itself, and 0 if `other` is empty. Precondition: 0 < alpha < 1. Errors: limit_exceeded.
Result<std::vector<double>> best_matches(const MatchTree& tree, const MatchTree& other, double alpha);

// The weighted mean of the nodes' matches, which are in the order of the nodes: the share of a tree that is found, by
// Appendix A.3. 1 for an empty tree, 0 if all weights are 0.
double mean_score(const MatchTree& tree, const std::vector<double>& matches);

// The score of the root by Appendix A.2. The score of a node is
//     omega * its match + (1 - omega) * the weighted mean of its children's scores
// and for a leaf, or where all children have the weight 0, its match alone. So the weights of a node and its children
// add up to 1, and the score is 1 if all matches are. A.2 prints another division by the number of children, with which
// they would not. 1 for an empty tree. Precondition: 0 < omega < 1.
double recursive_score(const MatchTree& tree, const std::vector<double>& matches, double omega);

// Algorithm 2: F_beta of recall, the score of `reference` for its matches in `candidate`, and of precision, that of
// `candidate` for its matches in `reference`. Of `options` it takes alpha, beta, scoring and omega. Errors:
// limit_exceeded.
Result<double> partial_match(const MatchTree& reference, const MatchTree& candidate, const SimilarityOptions& options);

}  // namespace trustsql
