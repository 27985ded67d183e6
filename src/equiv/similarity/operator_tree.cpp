#include "equiv/similarity/operator_tree.hpp"

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

Result<plan::PlanGraph> graph_of(std::string_view sql, const QueryPair& pair, const std::function<bool()>& stop) {
  TRUSTSQL_ASSIGN_OR_RETURN(auto plan, plan::plan_query(sql, *pair.catalog(), pair.dialect()));
  const auto normalised = plan::normalise(std::move(plan), {.stop = stop});
  if (normalised.stopped) return Error{ErrorCode::interrupted, "interrupted"};
  return plan::graph_of(normalised.plan);
}

std::uint64_t label(const plan::PlanGraph::Node& node, Leaves leaves) {
  const auto kind = static_cast<std::uint64_t>(node.kind);
  if (node.kind == plan::PlanGraph::NodeKind::content && leaves == Leaves::unnamed)
    return std::hash<std::string>{}(node.is_column ? "column" : "") * 2 + kind;
  return std::hash<std::string>{}(node.value) * 2 + kind;
}

}  // namespace

Result<OperatorGraphs> operator_graphs(const QueryPair& pair, std::string_view metric,
                                       const std::function<bool()>& stop) {
  if (pair.catalog() == nullptr) return invalid_argument(std::string(metric) + " needs a schema");
  auto a = graph_of(pair.reference(), pair, stop);
  if (!a.ok()) return std::move(a).error().with_prefix("a");
  auto b = graph_of(pair.candidate(), pair, stop);
  if (!b.ok()) return std::move(b).error().with_prefix("b");
  return OperatorGraphs{*std::move(a), *std::move(b)};
}

MatchTree operator_tree(const plan::PlanGraph& graph, Leaves leaves, const ClauseWeights& weights) {
  const auto parents = plan::parents(graph);
  MatchTree tree;
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const auto& node = graph.nodes[i];
    const auto parent = parents[i].value_or(0);
    double weight = i == 0 ? 1 : tree.nodes[parent].weight;
    if (i > 0 && plan::is_rels(graph.nodes[parent])) weight = weights.of(group_of(node.value));
    tree.add(static_cast<std::uint32_t>(parent), label(node, leaves), weight);
  }
  return tree;
}

}  // namespace trustsql
