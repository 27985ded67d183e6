// A syntax tree converted to the graph and to the tree of labelled nodes that metrics compare.
#pragma once

#include "equiv/similarity/match_tree.hpp"
#include "plan/graph.hpp"
#include "sql/ast.hpp"

namespace trustsql {

// The graph of an AST (FuncEvalGMN, Figure 3): one node for each node of the tree, one for each clause that a SELECT or
// query has, one for each name. Names, in lower case, and nodes that hold a text, such as literals, are content nodes
// and have the text as their value; the value of the others is their type with operators and flags. Expr and other
// wrappers have no nodes. All edges are tree edges, and the root is node 0.
plan::PlanGraph syntax_graph(const ast::Query& query);

// The same as a tree, in which the type of a node that holds a text is part of its label.
MatchTree syntax_tree(const ast::Query& query, Leaves leaves);

}  // namespace trustsql
