// Small graphs for the tests of the graph matching network.
#pragma once

#include <string>

#include "gmn/hyperparameters.hpp"
#include "plan/graph.hpp"

namespace trustsql::gmn {

// Sizes with which a pass takes no time.
inline Hyperparameters small_sizes() {
  Hyperparameters h;
  h.node_state = 6;
  h.edge_state = 3;
  h.message = 8;
  h.graph_vector = 10;
  h.steps = 2;
  h.walk_steps = 5;
  h.position_state = 4;
  h.string_length = 8;
  h.string_channels = 6;
  return h;
}

// SELECT * FROM <table>.
inline plan::PlanGraph scan_graph(const std::string& table) {
  using Graph = plan::PlanGraph;
  Graph graph;
  graph.nodes = {{Graph::NodeKind::computing, "Rels"},
                 {Graph::NodeKind::computing, "Scan"},
                 {Graph::NodeKind::content, table},
                 {Graph::NodeKind::computing, "Project"},
                 {Graph::NodeKind::content, table + ".a", true}};
  graph.edges = {{Graph::EdgeKind::tree, 0, 1},
                 {Graph::EdgeKind::tree, 1, 2},
                 {Graph::EdgeKind::tree, 0, 3},
                 {Graph::EdgeKind::tree, 3, 4},
                 {Graph::EdgeKind::logic, 1, 3}};
  return graph;
}

// SELECT a FROM <table> WHERE a = <literal>. Node 3 is the comparison.
inline plan::PlanGraph filter_graph(const std::string& table, const std::string& literal) {
  using Graph = plan::PlanGraph;
  Graph graph;
  graph.nodes = {{Graph::NodeKind::computing, "Rels"},
                 {Graph::NodeKind::computing, "Scan"},
                 {Graph::NodeKind::content, table},
                 {Graph::NodeKind::computing, "="},
                 {Graph::NodeKind::content, table + ".a", true},
                 {Graph::NodeKind::content, literal},
                 {Graph::NodeKind::computing, "Project"},
                 {Graph::NodeKind::content, table + ".a", true}};
  graph.edges = {{Graph::EdgeKind::tree, 0, 1}, {Graph::EdgeKind::tree, 1, 2},  {Graph::EdgeKind::tree, 0, 3},
                 {Graph::EdgeKind::tree, 3, 4}, {Graph::EdgeKind::tree, 3, 5},  {Graph::EdgeKind::tree, 0, 6},
                 {Graph::EdgeKind::tree, 6, 7}, {Graph::EdgeKind::logic, 1, 3}, {Graph::EdgeKind::logic, 3, 6},
                 {Graph::EdgeKind::data, 4, 7}};
  return graph;
}

}  // namespace trustsql::gmn
