// A picture of two graphs and the attention between them (Figure 17): the first graph's tree on the left, the second's
// on the right, each node in a row of its own; black lines are tree edges, green ones lead from a node to the node of
// the other graph that it attends to most, the stronger the more opaque.
#pragma once

#include <string>

#include "gmn/graph_comparer.hpp"
#include "plan/graph.hpp"

namespace trustsql::gmn {

// One self-contained SVG image that needs no scripts and no fonts beyond the viewer's. Texts from queries are escaped.
std::string attention_svg(const plan::PlanGraph& first, const plan::PlanGraph& second, const Attention& attention);

}  // namespace trustsql::gmn
