// Other views of graphs: the augmentations of contrastive pre-training (C.4; You et al. 2020), and new names for pairs.
#pragma once

#include <utility>
#include <vector>

#include "base/random.hpp"
#include "gmn/graph_input.hpp"

namespace trustsql::gmn {

// Without each node but the first with probability `share`, and without the edges of nodes that are gone.
GraphInput drop_nodes(const GraphInput& graph, double share, Random& random);

// With each node's value unknown with probability `share`.
GraphInput mask_attributes(const GraphInput& graph, double share, Random& random);

// Other names, columns and literals for a pair of graphs: whether two queries mean the same does not depend on what
// tables are called. It is not of the paper; a network that learns from few schemas needs it.
class Renamer {
 public:
  // For graphs whose texts are `texts`, which must outlive this object.
  explicit Renamer(const Texts& texts);

  // The pair with each of its texts replaced by another text of its kind, equal ones alike and different ones by
  // different ones as far as there are enough.
  std::pair<GraphInput, GraphInput> rename(const GraphInput& first, const GraphInput& second, Random& random) const;

 private:
  enum Kind { literal, column, name, kind_count };

  std::vector<Kind> kinds_;                 // by text
  std::vector<Index> of_kind_[kind_count];  // texts
};

}  // namespace trustsql::gmn
