#include "gmn/graph_input.hpp"

#include <algorithm>
#include <set>

#include "base/text.hpp"
#include "base/value.hpp"

namespace trustsql::gmn {

namespace {

bool is_computing(const plan::PlanGraph::Node& node) { return node.kind == plan::PlanGraph::NodeKind::computing; }

// The children of a node follow it, so their hashes are there first when nodes are visited from the last.
std::vector<std::uint64_t> subtree_hashes(const plan::PlanGraph& graph) {
  std::vector<std::vector<std::uint64_t>> children(graph.nodes.size());
  const auto parents = plan::parents(graph);
  std::vector<std::uint64_t> hashes(graph.nodes.size());
  for (std::size_t i = graph.nodes.size(); i-- > 0;) {
    auto& own = children[i];
    std::sort(own.begin(), own.end());
    own.erase(std::unique(own.begin(), own.end()), own.end());
    std::uint64_t hash =
        mix64(std::hash<std::string>{}(graph.nodes[i].value) * 2 + (is_computing(graph.nodes[i]) ? 1 : 0));
    for (const auto child : own) hash = mix64(hash ^ child);
    hashes[i] = hash;
    if (parents[i]) children[*parents[i]].push_back(hash);
  }
  return hashes;
}

}  // namespace

std::vector<std::string> vocabulary_of(const std::vector<plan::PlanGraph>& graphs) {
  std::set<std::string> values;
  for (const auto& graph : graphs) {
    for (const auto& node : graph.nodes) {
      if (is_computing(node) && is_valid_utf8(node.value)) values.insert(node.value);
    }
  }
  return {values.begin(), values.end()};
}

GraphInput encode(const plan::PlanGraph& graph, const Texts& vocabulary, bool flows, Texts& texts) {
  GraphInput input;
  for (const auto& node : graph.nodes) {
    const Index known = is_computing(node) ? vocabulary.find(node.value) : -1;
    input.embeddings.push_back(is_computing(node) ? known + 1 : -1);
    input.texts.push_back(known >= 0 ? -1 : texts.number(node.value));
  }
  for (const auto& edge : graph.edges) {
    if (flows || edge.kind == plan::PlanGraph::EdgeKind::tree) input.edges.push_back(edge);
  }
  input.subtrees = subtree_hashes(graph);
  return input;
}

}  // namespace trustsql::gmn
