// Traversal of a syntax tree.
//
//   walk(query, [&](const ast::Call& call) { ... });                       every function call, at any depth
//   walk(query, Overloaded{[&](const ast::ColumnRef& c) { ... },           several kinds at once, parents first;
//                          [&](const ast::Subquery&) { return false; }});  `false`: do not go into this one
//
// All types with fields are nodes: Expr and what it holds, Query, Arm, Select, FromItem, Window ... An Expr is visited
// as an Expr and then as the node it holds. Names, the texts of literals and enumerators are not nodes.
#pragma once

#include <concepts>

#include "base/type_traits.hpp"
#include "sql/ast.hpp"

namespace trustsql::ast {

template <class... F>
struct Overloaded : F... {
  using F::operator()...;
};
template <class... F>
Overloaded(F...) -> Overloaded<F...>;

namespace detail {

// Calls `visit` on each node that `part` (a field of a node) is or directly contains; the node is const if `part` is.
template <class Part, class Visit>
void each_node_of(Part& part, Visit& visit) {
  using T = std::remove_const_t<Part>;
  if constexpr (Node<T>) {
    visit(part);
  } else if constexpr (is_instance_of<T, std::variant>) {
    std::visit([&](auto& held) { each_node_of(held, visit); }, part);
  } else if constexpr (is_instance_of<T, std::vector>) {
    for (auto& element : part) each_node_of(element, visit);
  } else if constexpr (Nullable<T>) {
    if (part) each_node_of(*part, visit);
  }
}

// Converts to T& and to nothing else, whereas a T would also convert to an Expr.
template <class T>
struct Exactly {
  template <class U>
  requires std::same_as<std::remove_const_t<U>, std::remove_const_t<T>>
  operator U&() const;
};

}  // namespace detail

// Calls `visit(child)` on each node directly below `node`, in the order of the text.
template <class T, class Visit>
requires Node<std::remove_const_t<T>>
void for_each_child(T& node, Visit&& visit) {
  std::apply([&](const auto&... field) { (detail::each_node_of(node.*field.part, visit), ...); },
             std::remove_const_t<T>::fields());
}

// Calls `visit` on `node` and all nodes below it that it accepts, parents first. If a visit returns false, the nodes
// below are skipped. The recursion is no deeper than the tree, whose height the parser limits.
template <class T, class Visit>
requires Node<std::remove_const_t<T>>
void walk(T& node, Visit&& visit) {
  if constexpr (std::invocable<Visit&, T&> && std::invocable<Visit&, detail::Exactly<T>>) {
    if constexpr (std::is_same_v<std::invoke_result_t<Visit&, T&>, bool>) {
      if (!visit(node)) return;
    } else {
      visit(node);
    }
  }
  for_each_child(node, [&](auto& child) { walk(child, visit); });
}

}  // namespace trustsql::ast
