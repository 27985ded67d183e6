// GraphComparer: a trained network applied to pairs of graphs, one pair at a time. It keeps the vectors of the strings
// that it has met, since the names of a schema come back in every query; and its memory.
#pragma once

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/result.hpp"
#include "gmn/network.hpp"
#include "gmn/weights_file.hpp"
#include "plan/graph.hpp"

namespace trustsql::gmn {

// The attention of one propagation step: `forth` has a row for each node of the first graph with the weights of the
// second graph's nodes, `back` the reverse.
struct Attention {
  Matrix forth;
  Matrix back;
};

// The paper's normalisation of a distance to a similarity from 0 to 1 (Appendix L): max((y + 3) / 3, 0) for y =
// -distance.
double similarity_of(double distance);

// Not thread-safe.
class GraphComparer {
 public:
  explicit GraphComparer(std::shared_ptr<const TrainedNetwork> trained) : trained_(std::move(trained)) {}

  const TrainedNetwork& trained() const { return *trained_; }

  // The Euclidean distance of the graphs' vectors, >= 0; infinite where the network's numbers overflow.
  // `attention` (may be null) receives the attention of each step.
  double distance(const plan::PlanGraph& first, const plan::PlanGraph& second,
                  std::vector<Attention>* attention = nullptr);

 private:
  static constexpr std::size_t most_strings = 20'000;  // that are kept: about 5 MB

  // The vectors of `texts`, a row for each.
  Matrix vectors_of(const std::vector<std::string>& texts);

  std::shared_ptr<const TrainedNetwork> trained_;
  std::unordered_map<std::string, std::vector<float>> vectors_;
  Batch batch_;
  Tape tape_;
};

// The network that this library carries, read when it is first asked for; null if it cannot be read, which is a bug.
std::shared_ptr<const TrainedNetwork> shipped_network();

}  // namespace trustsql::gmn
