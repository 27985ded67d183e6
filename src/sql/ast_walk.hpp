// Traversal of a syntax tree.
//
//   walk(query, [&](const ast::Call& call) { ... });                       every function call, at any depth
//   walk(query, Overloaded{[&](const ast::ColumnRef& c) { ... },           several kinds at once, parents first;
//                          [&](const ast::Subquery&) { return false; }});  `false`: do not go into this one
//
// All types with fields are nodes: Expr and what it holds, Query, Arm, Select, FromItem, Window ... An Expr is visited
// as an Expr and then as the node it holds. Names, the texts of literals and enumerators are not nodes.
//
// What finds the nodes below a node is compiled once for each type of node (node_children.hpp). As a template over the
// visitor it would be some 50 functions for each walk.
#pragma once

#include <type_traits>

#include "base/function_ref.hpp"
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

struct NodeType;

// A node whose type is known at run time.
struct AnyNode {
  void* node;
  const NodeType* type;
};

struct NodeType {
  void (*each_child)(void* node, FunctionRef<void(AnyNode)> visit);
};

// Calls `visit` on each node directly below `node`, a T. Defined by node_children.hpp.
template <Node T>
void each_child_of_type(void* node, FunctionRef<void(AnyNode)> visit);

template <Node T>
inline constexpr NodeType node_type_of{&each_child_of_type<T>};

template <class T>
AnyNode any_node(T& node) {
  return {const_cast<std::remove_const_t<T>*>(&node), &node_type_of<std::remove_const_t<T>>};
}

// Calls `visit` on `node` and the nodes below, parents first; not below a node for which it returns false.
void walk_nodes(AnyNode node, FunctionRef<bool(AnyNode)> visit);

// The parameter of a function object: `const Call` for [](const Call&) {}.
template <class Signature>
struct ParameterOf;
template <class F, class R, class T>
struct ParameterOf<R (F::*)(T&)> : std::type_identity<T> {};
template <class F, class R, class T>
struct ParameterOf<R (F::*)(T&) const> : std::type_identity<T> {};

// Calls `visit` if `node` has the type that it takes. False if it was called and returned false.
template <class Root, class F>
bool visit_if_taken(F& visit, AnyNode node) {
  using T = typename ParameterOf<decltype(&F::operator())>::type;
  static_assert(std::is_const_v<T> || !std::is_const_v<Root>, "the nodes of a const tree are const");
  if (node.type != &node_type_of<std::remove_const_t<T>>) return true;
  T& taken = *static_cast<T*>(node.node);
  if constexpr (std::is_same_v<decltype(visit(taken)), bool>) {
    return visit(taken);
  } else {
    visit(taken);
    return true;
  }
}
template <class Root, class... F>
bool visit_if_taken(Overloaded<F...>& visits, AnyNode node) {
  return (... && visit_if_taken<Root>(static_cast<F&>(visits), node));
}
template <class Root, class... F>
bool visit_if_taken(const Overloaded<F...>& visits, AnyNode node) {
  return (... && visit_if_taken<Root>(static_cast<const F&>(visits), node));
}

}  // namespace detail

// Calls `visit(child)` on each node directly below `node`, in the order of the text. `visit` takes every type of node.
template <class T, class Visit>
requires Node<std::remove_const_t<T>>
void for_each_child(T& node, Visit&& visit) {
  std::remove_const_t<T>::with_fields(
      [&](const auto&... field) { (detail::each_node_of(node.*field.part, visit), ...); });
}

// Calls `visit` on `node` and all nodes below it that it takes, parents first. It is a lambda that takes one type of
// node, or several of these, Overloaded. If a visit returns false, the nodes below are skipped. The recursion is no
// deeper than the tree, whose height the parser limits.
template <class T, class Visit>
requires Node<std::remove_const_t<T>>
void walk(T& node, Visit&& visit) {
  detail::walk_nodes(detail::any_node(node),
                     [&](detail::AnyNode each) { return detail::visit_if_taken<T>(visit, each); });
}

}  // namespace trustsql::ast
