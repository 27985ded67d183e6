// A syntax tree as the tree of labelled nodes that metrics compare.
#pragma once

#include "equiv/similarity/match_tree.hpp"
#include "sql/ast.hpp"

namespace trustsql {

enum class Leaves {
  named,    // names, literals and parameters are leaves of their own
  unnamed,  // only that there is a name or a literal: the shape alone
};

// One node for each node of the tree, labelled with its type and its operator, flags and the like; one for each clause
// of a SELECT or query that is there; one for each name, folded to lower case. Expr and other wrappers are no nodes.
MatchTree syntax_tree(const ast::Query& query, Leaves leaves);

}  // namespace trustsql
