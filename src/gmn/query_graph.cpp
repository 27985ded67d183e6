#include "gmn/query_graph.hpp"

#include <string>
#include <vector>

#include "equiv/similarity/syntax_tree.hpp"
#include "plan/all_rules.hpp"
#include "plan/normaliser.hpp"
#include "plan/query_plan.hpp"
#include "sql/parser.hpp"

namespace trustsql::gmn {

namespace {

// What rules may rely on. Not on foreign keys: with them, a join that changes nothing on databases that keep them would
// go, and to people a query with such a join is another query (Figure 1, Appendix F).
constexpr plan::Assume assumed = {
    .primary_key_not_null = true, .foreign_keys = false, .declared_types = true, .checks = false};

Result<plan::PlanGraph> normalised_graph(plan::Plan plan, const plan::NormaliseOptions& options) {
  const auto normalised = plan::normalise(std::move(plan), options);
  if (normalised.stopped) return Error{ErrorCode::interrupted, "interrupted"};
  return plan::graph_of(normalised.plan);
}

Result<plan::PlanGraph> unlimited_graph(std::string_view sql, const Catalog& catalog, const ResolveOptions& dialect,
                                        Representation representation, const std::function<bool()>& stop) {
  if (representation == Representation::ast) {
    TRUSTSQL_ASSIGN_OR_RETURN(const auto query, parse_query(sql, dialect.grammar()));
    return syntax_graph(query);
  }
  TRUSTSQL_ASSIGN_OR_RETURN(auto plan, plan::plan_query(sql, catalog, dialect));
  return normalised_graph(std::move(plan), {.assume = assumed, .stop = stop});
}

Result<plan::PlanGraph> limited(plan::PlanGraph graph) {
  if (graph.nodes.size() > max_graph_nodes)
    return limit_exceeded("the query has " + std::to_string(graph.nodes.size()) +
                          " nodes as a graph; the network compares up to " + std::to_string(max_graph_nodes));
  return graph;
}

}  // namespace

Result<plan::PlanGraph> query_graph(std::string_view sql, const Catalog& catalog, const ResolveOptions& dialect,
                                    Representation representation, const std::function<bool()>& stop) {
  TRUSTSQL_ASSIGN_OR_RETURN(auto graph, unlimited_graph(sql, catalog, dialect, representation, stop));
  return limited(std::move(graph));
}

Result<plan::PlanGraph> variant_graph(std::string_view sql, const Catalog& catalog, const ResolveOptions& dialect,
                                      Random& random, const std::function<bool()>& stop) {
  TRUSTSQL_ASSIGN_OR_RETURN(auto plan, plan::plan_query(sql, catalog, dialect));
  const double share = random.uniform();
  const bool put_in_order = random.uniform() < 0.5;
  std::vector<const plan::Rule*> rules;
  for (const auto* rule : plan::all_rules()) {
    if (random.uniform() < share) rules.push_back(rule);
  }
  if (rules.empty()) return limited(plan::graph_of(plan));
  TRUSTSQL_ASSIGN_OR_RETURN(
      auto graph, normalised_graph(std::move(plan),
                                   {.assume = assumed, .rules = rules, .put_in_order = put_in_order, .stop = stop}));
  return limited(std::move(graph));
}

}  // namespace trustsql::gmn
