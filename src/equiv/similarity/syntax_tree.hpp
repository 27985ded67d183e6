// A syntax tree converted to the tree of labelled nodes that metrics compare.
#pragma once

#include "equiv/similarity/match_tree.hpp"
#include "sql/ast.hpp"

namespace trustsql {

// One node for each node of the tree, labelled with its type and its operator, flags and so on; one for each clause
// that a SELECT or query has; one for each name, in lower case. Expr and other wrappers have no nodes.
MatchTree syntax_tree(const ast::Query& query, Leaves leaves);

}  // namespace trustsql
