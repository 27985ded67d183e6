// Going through a plan. for_each_child and walk of sql/ast_walk.hpp work on its nodes as well; what stands here keeps
// the two kinds of trees apart: a Rel holds expressions, and an expression may hold Rels (subqueries).
#pragma once

#include <optional>
#include <unordered_map>

#include "base/function_ref.hpp"
#include "plan/plan.hpp"
#include "plan/rel.hpp"
#include "sql/ast_walk.hpp"

namespace trustsql::plan {

using ast::for_each_child;
using ast::Overloaded;
using ast::walk;

// Calls `visit(expr)` on the expressions that stand directly in `node`: of a Rel those of the operator itself, of an
// expression its operands. Subqueries and inputs are not entered.
void for_each_expr(Rel& node, FunctionRef<void(Expr&)> visit);
void for_each_expr(const Rel& node, FunctionRef<void(const Expr&)> visit);
void for_each_expr(Expr& node, FunctionRef<void(Expr&)> visit);
void for_each_expr(const Expr& node, FunctionRef<void(const Expr&)> visit);
void for_each_expr(WindowCall& node, FunctionRef<void(Expr&)> visit);

// Calls `visit(rel)` on the relations that stand directly in `node`: of a Rel its inputs, of an expression its
// subquery.
void for_each_rel(Rel& node, FunctionRef<void(Rel&)> visit);
void for_each_rel(const Rel& node, FunctionRef<void(const Rel&)> visit);
void for_each_rel(Expr& node, FunctionRef<void(Rel&)> visit);
void for_each_rel(const Expr& node, FunctionRef<void(const Rel&)> visit);

// Adds every attribute that columns in `node` (an Expr or a Rel) refer to, at any depth, subqueries included.
void add_references(const Expr& node, AttributeSet& references);
void add_references(const Rel& node, AttributeSet& references);
// Adds every attribute that operators in `node` produce, at any depth.
void add_produced(const Expr& node, AttributeSet& produced);
void add_produced(const Rel& node, AttributeSet& produced);

// Calls `visit(id)` on each attribute that the operator itself produces; columns that it hands on are not among them.
void for_each_produced(const Rel& rel, FunctionRef<void(AttributeId)> visit);

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

// How many expressions stand one within the other; subqueries are not entered. A column has the height 1.
int height(const Expr& expr);

// The number of nodes, of Rels and of expressions.
std::size_t node_count(const Rel& rel);

// Replaces each column by the expression that `replacement(id)` returns, a pointer that may be null (the column stays);
// in subqueries, too.
using Replacement = FunctionRef<const Expr*(AttributeId)>;
void substitute(Expr& expr, Replacement replacement);
void substitute(Rel& rel, Replacement replacement);

// Attributes under new ids.
using Renaming = std::unordered_map<AttributeId, AttributeId>;
// Changes ids, where they are used and where they are produced. Attributes not in `renaming` stay.
void rename(Rel& rel, const Renaming& renaming);
void rename(Expr& expr, const Renaming& renaming);
// A deep copy of `rel` in which everything that it produces has got new ids (`renaming`, if given, receives them).
Rel copy_with_new_ids(const Rel& rel, Plan& plan, Renaming* renaming = nullptr);

}  // namespace trustsql::plan
