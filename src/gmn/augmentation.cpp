#include "gmn/augmentation.hpp"

#include <map>
#include <set>

namespace trustsql::gmn {

namespace {

// A node that has changed matches no other any more, nor do those above it.
void change_subtrees(GraphInput& graph, const std::vector<bool>& changed, Random& random) {
  std::vector<std::size_t> parents(graph.size(), 0);
  for (const auto& edge : graph.edges) {
    if (edge.kind == plan::PlanGraph::EdgeKind::tree)
      parents[static_cast<std::size_t>(edge.to)] = static_cast<std::size_t>(edge.from);
  }
  std::vector<bool> above = changed;
  for (std::size_t i = graph.size(); i-- > 0;) {
    if (!above[i]) continue;
    graph.subtrees[i] = random.next();
    if (i > 0) above[parents[i]] = true;
  }
}

}  // namespace

GraphInput drop_nodes(const GraphInput& graph, double share, Random& random) {
  std::vector<int> number(graph.size(), -1);
  GraphInput rest;
  for (std::size_t i = 0; i < graph.size(); ++i) {
    if (i > 0 && random.uniform() < share) continue;
    number[i] = static_cast<int>(rest.size());
    rest.embeddings.push_back(graph.embeddings[i]);
    rest.texts.push_back(graph.texts[i]);
    rest.subtrees.push_back(graph.subtrees[i]);
  }
  std::vector<bool> changed(rest.size());
  for (const auto& edge : graph.edges) {
    const int from = number[static_cast<std::size_t>(edge.from)];
    const int to = number[static_cast<std::size_t>(edge.to)];
    if (from >= 0 && to >= 0) {
      rest.edges.push_back({edge.kind, from, to});
    } else if (from >= 0 && edge.kind == plan::PlanGraph::EdgeKind::tree) {
      changed[static_cast<std::size_t>(from)] = true;
    }
  }
  change_subtrees(rest, changed, random);
  return rest;
}

GraphInput mask_attributes(const GraphInput& graph, double share, Random& random) {
  GraphInput masked = graph;
  std::vector<bool> changed(graph.size());
  for (std::size_t i = 0; i < graph.size(); ++i) {
    if (random.uniform() >= share) continue;
    masked.embeddings[i] = -1;
    masked.texts[i] = -1;
    changed[i] = true;
  }
  change_subtrees(masked, changed, random);
  return masked;
}

Renamer::Renamer(const Texts& texts) {
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const auto& text = texts.texts()[i];
    Kind kind = text.find('.') == std::string::npos ? name : column;
    if (text.empty() || text.find_first_of("0123456789'-+") == 0 || text == "NULL") kind = literal;
    kinds_.push_back(kind);
    of_kind_[kind].push_back(static_cast<Index>(i));
  }
}

std::pair<GraphInput, GraphInput> Renamer::rename(const GraphInput& first, const GraphInput& second,
                                                  Random& random) const {
  constexpr int attempts = 20;
  std::map<Index, Index> replacements;
  std::set<Index> taken;
  const auto replacement = [&](Index text) {
    const auto [found, added] = replacements.try_emplace(text, text);
    if (!added) return found->second;
    const auto& others = of_kind_[kinds_[static_cast<std::size_t>(text)]];
    for (int i = 0; i < attempts; ++i) {
      const Index other = others[random.below(others.size())];
      if (!taken.insert(other).second) continue;
      found->second = other;
      break;
    }
    return found->second;
  };
  auto renamed = std::pair(first, second);
  for (auto* graph : {&renamed.first, &renamed.second}) {
    for (auto& text : graph->texts) {
      if (text >= 0) text = replacement(text);
    }
  }
  return renamed;
}

}  // namespace trustsql::gmn
