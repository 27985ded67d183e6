#include "equiv/similarity/match_tree.hpp"

#include <algorithm>
#include <string>

namespace trustsql {

std::uint32_t MatchTree::add(std::uint32_t parent, std::uint64_t label, double weight) {
  const auto index = static_cast<std::uint32_t>(nodes.size());
  nodes.push_back({label, weight});
  if (index > 0) nodes[parent].children.push_back(index);
  return index;
}

Result<double> node_match(const MatchTree& tree, const MatchTree& other, double alpha) {
  const std::size_t rows = tree.nodes.size(), columns = other.nodes.size();
  if (std::max(rows, columns) > max_match_nodes) {
    return limit_exceeded("a query is too large to compare: its tree has " + std::to_string(std::max(rows, columns)) +
                          " nodes; at most " + std::to_string(max_match_nodes) + " are allowed");
  }
  if (rows == 0 || columns == 0) return rows == columns ? 1.0 : 0.0;

  // Children come after their parents, so iterating backwards handles them first.
  std::vector<float> matches(rows * columns);
  double score = 0, weight = 0;
  for (std::size_t n = rows; n-- > 0;) {
    const auto& node = tree.nodes[n];
    float best = 0;
    for (std::size_t m = 0; m < columns; ++m) {
      const auto& candidate = other.nodes[m];
      const double self = node.label == candidate.label ? 1 : 0;
      double match = self;
      if (!node.children.empty()) {
        double sum = 0;
        for (const auto child : node.children) {
          float best_child = 0;
          for (const auto other_child : candidate.children)
            best_child = std::max(best_child, matches[child * columns + other_child]);
          sum += best_child;
        }
        match = alpha * self + (1 - alpha) * sum / static_cast<double>(node.children.size());
      }
      matches[n * columns + m] = static_cast<float>(match);
      best = std::max(best, matches[n * columns + m]);
    }
    score += node.weight * best;
    weight += node.weight;
  }
  return weight > 0 ? score / weight : 0;
}

Result<double> partial_match(const MatchTree& reference, const MatchTree& candidate, double alpha, double beta) {
  TRUSTSQL_ASSIGN_OR_RETURN(const double recall, node_match(reference, candidate, alpha));
  TRUSTSQL_ASSIGN_OR_RETURN(const double precision, node_match(candidate, reference, alpha));
  const double denominator = beta * beta * precision + recall;
  return denominator > 0 ? (1 + beta * beta) * precision * recall / denominator : 0;
}

}  // namespace trustsql
