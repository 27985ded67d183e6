#include "equiv/similarity/codebleu.hpp"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/value.hpp"
#include "equiv/similarity/bleu.hpp"
#include "equiv/similarity/data_flow.hpp"
#include "equiv/similarity/operator_tree.hpp"
#include "equiv/similarity/syntax_tree.hpp"

namespace trustsql {

namespace {

template <class Key>
using Bag = std::unordered_map<Key, std::size_t>;

// The share of the reference's elements that the candidate has; 1 if there are none.
template <class Key>
double recall(const Bag<Key>& reference, const Bag<Key>& candidate) {
  std::size_t total = 0, shared = 0;
  for (const auto& [key, count] : reference) {
    total += count;
    const auto in_candidate = candidate.find(key);
    if (in_candidate != candidate.end()) shared += std::min(count, in_candidate->second);
  }
  return total == 0 ? 1 : static_cast<double>(shared) / static_cast<double>(total);
}

double keyword_match(const std::vector<Word>& reference, const std::vector<Word>& candidate) {
  constexpr double keyword_weight = 1.0, other_weight = 0.2;
  Bag<std::string> expected;
  for (const auto& word : reference) ++expected[word.text];
  double total = 0, matched = 0;
  for (const auto& word : candidate) {
    const double weight = word.is_keyword ? keyword_weight : other_weight;
    total += weight;
    const auto left = expected.find(word.text);
    if (left == expected.end() || left->second == 0) continue;
    --left->second;
    matched += weight;
  }
  return total > 0 ? brevity_penalty(reference.size(), candidate.size()) * matched / total
                   : (reference.empty() ? 1 : 0);
}

// The subtrees with at least one node below their root, by a hash of their shape.
Bag<std::uint64_t> subtrees(const MatchTree& tree) {
  std::vector<std::uint64_t> shapes(tree.nodes.size());
  Bag<std::uint64_t> bag;
  for (std::size_t i = tree.nodes.size(); i-- > 0;) {
    const auto& node = tree.nodes[i];
    std::uint64_t shape = mix64(node.label);
    for (const auto child : node.children) shape = mix64(shape ^ mix64(shapes[child] + 1));
    shapes[i] = shape;
    if (!node.children.empty()) ++bag[shape];
  }
  return bag;
}

// What is compared beside the words.
struct Structure {
  MatchTree tree;  // with unnamed leaves
  Bag<std::string> flows;
};

Result<double> weighted_mean(const QueryPair& pair, const Structure& reference, const Structure& candidate,
                             const SimilarityOptions& options) {
  TRUSTSQL_ASSIGN_OR_RETURN(const auto both, words_of_pair(pair.reference(), pair.candidate(), pair.version()));
  const double dataflow_weight = reference.flows.empty() ? 0 : options.dataflow_weight;
  const double weights = options.ngram_weight + options.keyword_weight + options.syntax_weight + dataflow_weight;
  if (!(weights > 0))
    return invalid_argument(
        "option 'weights': at least one part that can be compared must have a weight above 0; data flow can be "
        "compared only if the first query has some");
  return (options.ngram_weight * bleu_score(both.reference, both.candidate, options.max_n) +
          options.keyword_weight * keyword_match(both.reference, both.candidate) +
          options.syntax_weight * recall(subtrees(reference.tree), subtrees(candidate.tree)) +
          dataflow_weight * recall(reference.flows, candidate.flows)) /
         weights;
}

}  // namespace

Result<double> codebleu(const QueryPair& pair, const SimilarityOptions& options) {
  TRUSTSQL_ASSIGN_OR_RETURN(const auto trees, pair.parse());
  TRUSTSQL_ASSIGN_OR_RETURN(auto reference_flows, data_flows(trees.reference));
  TRUSTSQL_ASSIGN_OR_RETURN(auto candidate_flows, data_flows(trees.candidate));
  return weighted_mean(pair, {syntax_tree(trees.reference, Leaves::unnamed), std::move(reference_flows)},
                       {syntax_tree(trees.candidate, Leaves::unnamed), std::move(candidate_flows)}, options);
}

Result<double> codebleu_rot(const QueryPair& pair, const SimilarityOptions& options) {
  TRUSTSQL_ASSIGN_OR_RETURN(const auto graphs, operator_graphs(pair, "codebleu-rot", stop_of(options)));
  const auto structure = [](const plan::PlanGraph& graph) {
    return Structure{operator_tree(graph, Leaves::unnamed), data_flows(graph)};
  };
  return weighted_mean(pair, structure(graphs.reference), structure(graphs.candidate), options);
}

std::unordered_map<std::string, std::size_t> data_flows(const plan::PlanGraph& graph) {
  // Descendants follow their ancestors, so the operator of a parent is known.
  const auto parents = plan::parents(graph);
  std::vector<std::string> operators(graph.nodes.size());
  for (std::size_t i = 1; i < graph.nodes.size(); ++i)
    operators[i] = plan::is_rels(graph.nodes[*parents[i]]) ? graph.nodes[i].value : operators[*parents[i]];

  Bag<std::string> flows;
  std::vector<bool> was_used_before(graph.nodes.size());
  for (const auto& edge : graph.edges) {
    if (edge.kind != plan::PlanGraph::EdgeKind::data) continue;
    const auto from = static_cast<std::size_t>(edge.from), to = static_cast<std::size_t>(edge.to);
    was_used_before[to] = true;
    ++flows[graph.nodes[to].value + ": " + operators[from] + " -> " + operators[to]];
  }
  for (std::size_t i = 0; i < graph.nodes.size(); ++i)
    if (graph.nodes[i].is_column && !was_used_before[i]) ++flows[graph.nodes[i].value + " -> " + operators[i]];
  return flows;
}

}  // namespace trustsql
