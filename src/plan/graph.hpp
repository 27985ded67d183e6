// The graph of a plan (FuncEvalGMN, section 4 and Figure 3): the input of the graph matching network and of RelPM.
//
//   nodes   Computing nodes are operators, functions and connectives, of which there are finitely many kinds; content
//           nodes are leaves: tables, columns, literals. Node 0 is "Rels"; its children are the operators in the order
//           in which they are executed. A subquery in an expression has its own Rels node there. The columns of the
//           result are always listed: if the plan has no Project at the end, the graph gets one.
//   edges   Tree edges lead from a node to its children (the paper's RelNode edges), logic edges from an operator to
//           the one that reads its rows, data edges from an occurrence of a column to the next one, starting where the
//           column is computed.
//
// For example, SELECT count(*) FROM t WHERE a > 1, normalised:
//
//   Rels -- Scan -- "t"          logic: Scan -> Filter -> Aggregate -> Project
//        -- Filter -- > -- "t.a"
//                       -- "1"
//        -- Aggregate -- count   data: count -> "count", where the projection lists it
//        -- Project -- "count"
//
// Names are those of the catalog in lower case, never aliases, so equal plans have equal graphs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "plan/plan.hpp"

namespace trustsql::plan {

struct PlanGraph {
  enum class NodeKind : std::uint8_t { computing, content };
  enum class EdgeKind : std::uint8_t { tree, logic, data };

  struct Node {
    NodeKind kind = NodeKind::computing;
    std::string value{};
    bool is_column = false;  // a content node: the value is the name of a column, not of a table, and no literal

    friend bool operator==(const Node&, const Node&) = default;
  };
  struct Edge {
    EdgeKind kind = EdgeKind::tree;
    int from = 0;
    int to = 0;

    friend bool operator==(const Edge&, const Edge&) = default;
  };

  std::vector<Node> nodes{};  // a node's descendants follow it
  std::vector<Edge> edges{};

  friend bool operator==(const PlanGraph&, const PlanGraph&) = default;
};

PlanGraph graph_of(const Plan& plan);

// The parent of each node; nullopt for node 0.
std::vector<std::optional<std::size_t>> parents(const PlanGraph& graph);

// Whether `node` is a Rels node, whose children are operators.
bool is_rels(const PlanGraph::Node& node);

// {"nodes":[{"kind":"computing","value":"Rels"},...],"edges":[{"kind":"tree","from":0,"to":1},...]}; edges refer to
// nodes by number.
std::string graph_json(const PlanGraph& graph);

}  // namespace trustsql::plan
