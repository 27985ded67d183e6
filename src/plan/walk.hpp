// Going through a plan. for_each_child and walk of sql/ast_walk.hpp work on its nodes as well; what stands here keeps the
// two kinds of trees apart: a Rel holds expressions, and an expression may hold Rels (subqueries).
#pragma once

#include <optional>
#include <unordered_map>

#include "plan/plan.hpp"
#include "plan/rel.hpp"
#include "sql/ast_walk.hpp"

namespace trustsql::plan {

using ast::for_each_child;
using ast::Overloaded;
using ast::walk;

// Calls `visit(expr)` on the expressions that stand directly in `node`: of a Rel those of the operator itself, of an
// expression its operands. Subqueries and inputs are not entered.
template <class Node, class Visit>
void for_each_expr(Node& node, Visit&& visit) {
  for_each_child(node, [&](auto& child) {
    using Child = std::remove_const_t<std::remove_reference_t<decltype(child)>>;
    if constexpr (std::is_same_v<Child, Expr>) {
      visit(child);
    } else if constexpr (!std::is_same_v<Child, Rel>) {
      for_each_expr(child, visit);
    }
  });
}

// Calls `visit(rel)` on the relations that stand directly in `node`: of a Rel its inputs, of an expression its subquery.
template <class Node, class Visit>
void for_each_rel(Node& node, Visit&& visit) {
  for_each_child(node, [&](auto& child) {
    using Child = std::remove_const_t<std::remove_reference_t<decltype(child)>>;
    if constexpr (std::is_same_v<Child, Rel>) {
      visit(child);
    } else if constexpr (!std::is_same_v<Child, Expr>) {
      for_each_rel(child, visit);
    }
  });
}

// Adds every attribute that columns in `node` (an Expr or a Rel) refer to, at any depth, subqueries included.
void add_references(const Expr& node, AttributeSet& references);
void add_references(const Rel& node, AttributeSet& references);
// Adds every attribute that operators in `node` produce, at any depth.
void add_produced(const Expr& node, AttributeSet& produced);
void add_produced(const Rel& node, AttributeSet& produced);

// The attributes that `expr` needs from the rows it is evaluated on (or from further out).
AttributeSet references(const Expr& expr);
AttributeSet references(const std::vector<Expr>& exprs);
// The attributes that `rel` needs from outside: not empty if it is correlated.
AttributeSet free_attributes(const Rel& rel);
// Those of the operator alone: what its own expressions need.
AttributeSet references_of_operator(const Rel& rel);

bool has_subquery(const Expr& expr);
// Whether an evaluation may give another value for the same row: random() and the like, in subqueries too.
bool is_volatile(const Expr& expr);
bool is_volatile(const Rel& rel);
// No attribute, parameter, subquery or function whose value is not fixed: the same in every row and every run.
bool is_constant(const Expr& expr);

// The number of nodes, of Rels and of expressions.
std::size_t node_count(const Rel& rel);

// Replaces each column by the expression that `replacement(id)` returns, a pointer that may be null (the column stays);
// in subqueries, too.
template <class Replacement>
void substitute(Expr& expr, const Replacement& replacement);
template <class Replacement>
void substitute(Rel& rel, const Replacement& replacement) {
  for_each_expr(rel, [&](Expr& expr) { substitute(expr, replacement); });
  for_each_rel(rel, [&](Rel& input) { substitute(input, replacement); });
}
template <class Replacement>
void substitute(Expr& expr, const Replacement& replacement) {
  if (const auto* column = expr.as<Column>()) {
    if (const Expr* by = replacement(column->id)) expr = Expr(*by);
    return;
  }
  for_each_expr(expr, [&](Expr& operand) { substitute(operand, replacement); });
  for_each_rel(expr, [&](Rel& rel) { substitute(rel, replacement); });
}

// Attributes under new ids.
using Renaming = std::unordered_map<AttributeId, AttributeId>;
// Changes ids, where they are used and where they are produced. Attributes not in `renaming` stay.
void rename(Rel& rel, const Renaming& renaming);
void rename(Expr& expr, const Renaming& renaming);
// A deep copy of `rel` in which everything that it produces has got new ids (`renaming`, if given, receives them).
Rel copy_with_new_ids(const Rel& rel, Plan& plan, Renaming* renaming = nullptr);

}  // namespace trustsql::plan
