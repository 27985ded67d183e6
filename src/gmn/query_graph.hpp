// The graph of a query: what the network compares.
#pragma once

#include <functional>
#include <string_view>

#include "base/random.hpp"
#include "base/result.hpp"
#include "db/catalog/catalog.hpp"
#include "gmn/hyperparameters.hpp"
#include "plan/graph.hpp"
#include "sql/resolver.hpp"

namespace trustsql::gmn {

// The largest graph that is compared: memory and time of the attention grow with the product of two graphs' nodes.
inline constexpr std::size_t max_graph_nodes = 1'000;

// The schema as graphs are made over it: without NULLs. count(*) and count(x), NOT IN and EXCEPT then have one graph,
// and to people they mean the same (three of four pairs that differ by NULLs alone; docs/methods.md).
inline Catalog graph_catalog(const Catalog& catalog) { return catalog.without_nulls(); }

// `catalog`: a graph_catalog(). With Representation::rel_node the graph of the normalised plan, with ast that of the
// syntax tree. `stop` is called now and then; true ends the work. Errors: those of plan_query() or parse_query();
// limit_exceeded for a graph of more than max_graph_nodes nodes; interrupted.
Result<plan::PlanGraph> query_graph(std::string_view sql, const Catalog& catalog, const ResolveOptions& dialect,
                                    Representation representation, const std::function<bool()>& stop);

// The graph of the plan after some of the normaliser's rules, drawn at random: it means the same. Errors: as above.
Result<plan::PlanGraph> variant_graph(std::string_view sql, const Catalog& catalog, const ResolveOptions& dialect,
                                      Random& random, const std::function<bool()>& stop);

}  // namespace trustsql::gmn
