// A graph of a query as the network reads it: numbers in place of texts.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "gmn/hyperparameters.hpp"
#include "gmn/matrix.hpp"
#include "plan/graph.hpp"

namespace trustsql::gmn {

// The texts of nodes by number.
class Texts {
 public:
  // The number of a text, which is added if it is new.
  Index number(const std::string& text) {
    const auto [found, added] = numbers_.try_emplace(text, static_cast<Index>(texts_.size()));
    if (added) texts_.push_back(text);
    return found->second;
  }
  // The number of a text, or -1.
  Index find(const std::string& text) const {
    const auto found = numbers_.find(text);
    return found == numbers_.end() ? -1 : found->second;
  }
  const std::vector<std::string>& texts() const { return texts_; }
  std::size_t size() const { return texts_.size(); }

 private:
  std::vector<std::string> texts_;
  std::unordered_map<std::string, Index> numbers_;
};

struct GraphInput {
  // By node: the row of its embedding, or -1. Row 0 stands for all computing nodes whose value is not in the
  // vocabulary.
  std::vector<Index> embeddings;
  // By node: the number of the text that the string encoder reads, or -1. Content nodes have one, and computing nodes
  // whose value is not in the vocabulary.
  std::vector<Index> texts;
  std::vector<plan::PlanGraph::Edge> edges;
  // By node: equal for two nodes whose subtrees match, RelPM = 1: equal values, and the same set of matching children.
  std::vector<std::uint64_t> subtrees;

  std::size_t size() const { return embeddings.size(); }
};

// The values of the computing nodes of `graphs` that are valid UTF-8, sorted: the vocabulary of a network that is
// trained on them.
std::vector<std::string> vocabulary_of(const std::vector<plan::PlanGraph>& graphs);

// `vocabulary`: the values of computing nodes, in the order of their embeddings from row 1 on. Texts that are new are
// added to `texts`. With `flows` false only tree edges are read.
GraphInput encode(const plan::PlanGraph& graph, const Texts& vocabulary, bool flows, Texts& texts);

}  // namespace trustsql::gmn
