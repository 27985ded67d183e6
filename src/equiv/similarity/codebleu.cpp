#include "equiv/similarity/codebleu.hpp"

#include <algorithm>
#include <string>
#include <unordered_map>

#include "base/value.hpp"
#include "equiv/similarity/bleu.hpp"
#include "equiv/similarity/data_flow.hpp"
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
Bag<std::uint64_t> subtrees(const ast::Query& query) {
  const MatchTree tree = syntax_tree(query, Leaves::unnamed);
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

}  // namespace

Result<double> codebleu(const QueryPair& pair, const SimilarityOptions& options) {
  TRUSTSQL_ASSIGN_OR_RETURN(const auto both, words_of_pair(pair.reference(), pair.candidate(), pair.version()));
  TRUSTSQL_ASSIGN_OR_RETURN(const auto trees, pair.parse());
  TRUSTSQL_ASSIGN_OR_RETURN(const auto reference_flows, data_flows(trees.reference));
  TRUSTSQL_ASSIGN_OR_RETURN(const auto candidate_flows, data_flows(trees.candidate));

  const double dataflow_weight = reference_flows.empty() ? 0 : options.dataflow_weight;
  const double weights = options.ngram_weight + options.keyword_weight + options.syntax_weight + dataflow_weight;
  if (!(weights > 0))
    return invalid_argument(
        "option 'weights': at least one part that can be compared must have a weight above 0; data flow can be "
        "compared only if the first query has some");
  return (options.ngram_weight * bleu_score(both.reference, both.candidate, options.max_n) +
          options.keyword_weight * keyword_match(both.reference, both.candidate) +
          options.syntax_weight * recall(subtrees(trees.reference), subtrees(trees.candidate)) +
          dataflow_weight * recall(reference_flows, candidate_flows)) /
         weights;
}

}  // namespace trustsql
