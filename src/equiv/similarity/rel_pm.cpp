#include "equiv/similarity/rel_pm.hpp"

#include <functional>

#include "plan/normaliser.hpp"
#include "plan/query_plan.hpp"

namespace trustsql {

namespace {

// The clause whose weight applies to an operator's node.
OperatorGroup group_of(const std::string& value) {
  if (value.ends_with("Join") || value.ends_with("Apply")) return OperatorGroup::join;
  if (value == "Scan" || value == "TableFunction" || value == "Values") return OperatorGroup::scan;
  if (value == "Filter") return OperatorGroup::filter;
  if (value == "Project") return OperatorGroup::project;
  if (value == "Aggregate") return OperatorGroup::aggregate;
  if (value == "Window") return OperatorGroup::window;
  if (value == "Distinct") return OperatorGroup::distinct;
  if (value == "Sort") return OperatorGroup::sort;
  if (value == "Limit") return OperatorGroup::limit;
  return OperatorGroup::set;
}

Result<plan::PlanGraph> graph_of(std::string_view sql, const QueryPair& pair) {
  TRUSTSQL_ASSIGN_OR_RETURN(auto plan, plan::plan_query(sql, *pair.catalog(), pair.dialect()));
  return plan::graph_of(plan::normalise(std::move(plan)).plan);
}

}  // namespace

MatchTree match_tree(const plan::PlanGraph& graph, const ClauseWeights& weights) {
  constexpr int none = -1;
  std::vector<int> parents(graph.nodes.size(), none);
  for (const auto& edge : graph.edges) {
    if (edge.kind == plan::PlanGraph::EdgeKind::tree) parents[static_cast<std::size_t>(edge.to)] = edge.from;
  }
  MatchTree tree;
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const auto& node = graph.nodes[i];
    const auto parent = parents[i] == none ? std::size_t{0} : static_cast<std::size_t>(parents[i]);
    double weight = i == 0 ? 1 : tree.nodes[parent].weight;
    // Operators are direct children of Rels.
    if (i > 0 && graph.nodes[parent].value == "Rels" &&
        graph.nodes[parent].kind == plan::PlanGraph::NodeKind::computing) {
      weight = weights.of(group_of(node.value));
    }
    const auto kind = static_cast<std::uint64_t>(node.kind);
    tree.add(static_cast<std::uint32_t>(parent), std::hash<std::string>{}(node.value) * 2 + kind, weight);
  }
  return tree;
}

Result<double> rel_pm(const QueryPair& pair, const SimilarityOptions& options) {
  if (pair.catalog() == nullptr) return invalid_argument("relpm needs a schema");
  auto a = graph_of(pair.reference(), pair);
  if (!a.ok()) return std::move(a).error().with_prefix("a");
  auto b = graph_of(pair.candidate(), pair);
  if (!b.ok()) return std::move(b).error().with_prefix("b");
  return partial_match(match_tree(*a, options.clause_weights), match_tree(*b, options.clause_weights), options.alpha,
                       options.beta);
}

}  // namespace trustsql
