// The pairs that a network is trained or evaluated on.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "gmn/graph_input.hpp"
#include "plan/graph.hpp"

namespace trustsql::gmn {

// Two queries by the numbers of their graphs.
struct LabelledGraphPair {
  std::size_t first = 0;
  std::size_t second = 0;
  bool same = false;  // they mean the same
};

// Graphs and labels as they come from queries.
struct LabelledGraphs {
  std::vector<plan::PlanGraph> graphs;
  std::vector<LabelledGraphPair> pairs;
};

// The same as a network reads it.
struct TrainingSet {
  std::vector<GraphInput> graphs;
  Texts texts;
  std::vector<LabelledGraphPair> pairs;
};

TrainingSet encode(const LabelledGraphs& labelled, const Texts& vocabulary, bool flows);

}  // namespace trustsql::gmn
