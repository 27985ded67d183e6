// Pairs of graphs as the network reads them: the nodes of all graphs one below the other, first and second of each pair
// in turn.
#pragma once

#include <vector>

#include "gmn/graph_input.hpp"
#include "gmn/graph_operations.hpp"
#include "gmn/hyperparameters.hpp"

namespace trustsql::gmn {

class Batch {
 public:
  // Prepares the batch for other pairs; the memory is kept.
  void clear();
  // Adds a pair. `rows_of_texts`: for each number of a text, its row in the matrix of string vectors that the network
  // is given. `positions`: the encodings of the nodes (walk_positions()); empty if the network uses none.
  void add(const GraphInput& first, const GraphInput& second, const std::vector<Index>& rows_of_texts,
           const Matrix& positions);

  Eigen::Index nodes() const { return static_cast<Eigen::Index>(embeddings_.size()); }
  const std::vector<Index>& embeddings() const { return embeddings_; }
  const std::vector<Index>& texts() const { return texts_; }
  // In the direction of the edges, against it, and both.
  EdgeList forward() const { return edges(0, from_.size() / 2); }
  EdgeList backward() const { return edges(from_.size() / 2, from_.size() / 2); }
  EdgeList both() const { return edges(0, from_.size()); }
  // By node: the number of edges that lead to it, and away from it; 1 / their sum.
  const std::vector<float>& edges_in() const { return edges_in_; }
  const std::vector<float>& edges_out() const { return edges_out_; }
  const std::vector<float>& shares() const { return shares_; }
  const std::vector<GraphPairRows>& pairs() const { return pairs_; }
  const std::vector<Eigen::Index>& ends() const { return ends_; }
  const std::vector<float>& positions() const { return positions_; }  // row by row

  // Completes the batch. To be called once, after the last pair.
  void finish();

 private:
  void add_nodes(const GraphInput& graph, const std::vector<Index>& rows_of_texts);
  EdgeList edges(std::size_t begin, std::size_t count) const {
    return {std::span(from_).subspan(begin, count), std::span(to_).subspan(begin, count),
            std::span(type_).subspan(begin, count)};
  }

  std::vector<Index> embeddings_;
  std::vector<Index> texts_;
  std::vector<Index> from_;  // all edges, then all edges reversed
  std::vector<Index> to_;
  std::vector<Index> type_;
  std::vector<float> edges_in_;
  std::vector<float> edges_out_;
  std::vector<float> shares_;
  std::vector<GraphPairRows> pairs_;
  std::vector<Eigen::Index> ends_;
  std::vector<float> positions_;
};

}  // namespace trustsql::gmn
