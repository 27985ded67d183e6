#include "gmn/training_set.hpp"

namespace trustsql::gmn {

TrainingSet encode(const LabelledGraphs& labelled, const Texts& vocabulary, bool flows) {
  TrainingSet set;
  set.graphs.reserve(labelled.graphs.size());
  for (const auto& graph : labelled.graphs) set.graphs.push_back(encode(graph, vocabulary, flows, set.texts));
  set.pairs = labelled.pairs;
  return set;
}

}  // namespace trustsql::gmn
