// How walk() finds the nodes below a node. Included by one source file for each kind of tree, which instantiates
// each_child_of_type for the type of its root, and thereby for all types of nodes in it.
#pragma once

#include "sql/ast_walk.hpp"

namespace trustsql::ast::detail {

template <Node T>
void each_child_of_type(void* node, FunctionRef<void(AnyNode)> visit) {
  for_each_child(*static_cast<T*>(node), [&](auto& child) { visit(any_node(child)); });
}

}  // namespace trustsql::ast::detail
