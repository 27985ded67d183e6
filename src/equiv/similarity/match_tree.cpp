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

Result<std::vector<double>> best_matches(const MatchTree& tree, const MatchTree& other, double alpha) {
  const std::size_t rows = tree.nodes.size(), columns = other.nodes.size();
  if (std::max(rows, columns) > max_match_nodes) {
    return limit_exceeded("a query is too large to compare: its tree has " + std::to_string(std::max(rows, columns)) +
                          " nodes; at most " + std::to_string(max_match_nodes) + " are allowed");
  }

  // Children come after their parents, so iterating backwards handles them first.
  std::vector<float> matches(rows * columns);
  std::vector<double> best(rows);
  for (std::size_t n = rows; n-- > 0;) {
    const auto& node = tree.nodes[n];
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
      best[n] = std::max(best[n], static_cast<double>(matches[n * columns + m]));
    }
  }
  return best;
}

double mean_score(const MatchTree& tree, const std::vector<double>& matches) {
  if (tree.nodes.empty()) return 1;
  double score = 0, weight = 0;
  for (std::size_t n = 0; n < tree.nodes.size(); ++n) {
    score += tree.nodes[n].weight * matches[n];
    weight += tree.nodes[n].weight;
  }
  return weight > 0 ? score / weight : 0;
}

double recursive_score(const MatchTree& tree, const std::vector<double>& matches, double omega) {
  if (tree.nodes.empty()) return 1;
  std::vector<double> scores = matches;
  for (std::size_t n = tree.nodes.size(); n-- > 0;) {
    double sum = 0, weight = 0;
    for (const auto child : tree.nodes[n].children) {
      sum += tree.nodes[child].weight * scores[child];
      weight += tree.nodes[child].weight;
    }
    if (weight > 0) scores[n] = omega * matches[n] + (1 - omega) * sum / weight;
  }
  return scores.front();
}

Result<double> partial_match(const MatchTree& reference, const MatchTree& candidate, const SimilarityOptions& options) {
  const auto found = [&](const MatchTree& tree, const MatchTree& other) -> Result<double> {
    TRUSTSQL_ASSIGN_OR_RETURN(const auto matches, best_matches(tree, other, options.alpha));
    return options.scoring == TreeScoring::mean ? mean_score(tree, matches)
                                                : recursive_score(tree, matches, options.omega);
  };
  TRUSTSQL_ASSIGN_OR_RETURN(const double recall, found(reference, candidate));
  TRUSTSQL_ASSIGN_OR_RETURN(const double precision, found(candidate, reference));
  const double weight = options.beta * options.beta;
  const double denominator = weight * precision + recall;
  return denominator > 0 ? (1 + weight) * precision * recall / denominator : 0;
}

}  // namespace trustsql
