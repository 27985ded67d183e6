// Going through a syntax tree.
//
//   walk(query, [&](const ast::Call& call) { ... });                       every function call, at any depth
//   walk(query, Overloaded{[&](const ast::ColumnRef& c) { ... },           several kinds at once, parents first;
//                          [&](const ast::Subquery&) { return false; }});  `false`: do not go into this one
//
// Nodes are all types with fields: Expr and what it holds, and Query, Arm, Select, FromItem, Window ... An Expr is
// visited as an Expr and then as the node it holds. Names, literals' texts and enumerations are no nodes.
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

// Calls `visit` on each node that `part` (a field of a node) is or contains at once, const as `part` is.
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

// Becomes a T& and nothing else, where a T would become an Expr as well.
template <class T>
struct Exactly {
  template <class U>
  requires std::same_as<std::remove_const_t<U>, std::remove_const_t<T>>
  operator U&() const;
};

}  // namespace detail

// Calls `visit(child)` on each node that stands directly below `node`, in the order of the text.
template <class T, class Visit>
requires Node<std::remove_const_t<T>>
void for_each_child(T& node, Visit&& visit) {
  std::apply([&](const auto&... field) { (detail::each_node_of(node.*field.part, visit), ...); },
             std::remove_const_t<T>::fields());
}

// Calls `visit` on `node` and all nodes below it that it can be called with, parents first. A visit that returns false
// ends the way down there. Recursive, but not deeper than the tree, whose height the parser limits.
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
