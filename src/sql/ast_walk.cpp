#include "sql/ast_walk.hpp"

#include "sql/node_children.hpp"

namespace trustsql::ast::detail {

void walk_nodes(AnyNode node, FunctionRef<bool(AnyNode)> visit) {
  if (visit(node)) node.type->each_child(node.node, [&](AnyNode child) { walk_nodes(child, visit); });
}

template void each_child_of_type<Query>(void* node, FunctionRef<void(AnyNode)> visit);

}  // namespace trustsql::ast::detail
