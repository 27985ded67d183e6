// Traversal of a plan. for_each_child and walk of sql/ast_walk.hpp work on its nodes as well; the functions here keep
// the two kinds of trees apart: a Rel contains expressions, and an expression may contain Rels (subqueries).
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

// Calls `visit(expr)` on the expressions directly in `node`: for a Rel those of the operator itself, for an expression
// its operands. Subqueries and inputs are not entered.
void for_each_expr(Rel& node, FunctionRef<void(Expr&)> visit);
void for_each_expr(const Rel& node, FunctionRef<void(const Expr&)> visit);
void for_each_expr(Expr& node, FunctionRef<void(Expr&)> visit);
void for_each_expr(const Expr& node, FunctionRef<void(const Expr&)> visit);
void for_each_expr(WindowCall& node, FunctionRef<void(Expr&)> visit);

// Calls `visit(rel)` on the relations directly in `node`: for a Rel its inputs, for an expression its subquery.
void for_each_rel(Rel& node, FunctionRef<void(Rel&)> visit);
void for_each_rel(const Rel& node, FunctionRef<void(const Rel&)> visit);
void for_each_rel(Expr& node, FunctionRef<void(Rel&)> visit);
void for_each_rel(const Expr& node, FunctionRef<void(const Rel&)> visit);

// Adds every attribute that columns in `node` (an Expr or a Rel) refer to, at any depth, including subqueries.
void add_references(const Expr& node, AttributeSet& references);
void add_references(const Rel& node, AttributeSet& references);
// Adds every attribute that operators in `node` produce, at any depth.
void add_produced(const Expr& node, AttributeSet& produced);
void add_produced(const Rel& node, AttributeSet& produced);

// Calls `visit(id)` on each attribute that the operator itself produces, but not on columns that it only passes on.
void for_each_produced(const Rel& rel, FunctionRef<void(AttributeId)> visit);

// The attributes that `expr` needs from the rows it is evaluated on (or from further out).
AttributeSet references(const Expr& expr);
AttributeSet references(const std::vector<Expr>& exprs);
// The attributes that `rel` needs from outside: not empty if it is correlated.
AttributeSet free_attributes(const Rel& rel);
// The attributes that the operator's own expressions need.
AttributeSet references_of_operator(const Rel& rel);

bool has_subquery(const Expr& expr);
// Whether another evaluation for the same row may give another value: random() and the like, including in subqueries.
bool is_volatile(const Expr& expr);
bool is_volatile(const Rel& rel);
// Whether the value is the same in every row and every run: there is no attribute, parameter, subquery or function
// whose value is not fixed.
bool is_constant(const Expr& expr);

// The depth of nested expressions; subqueries are not entered. A column has height 1.
int height(const Expr& expr);
// How many expressions it consists of, itself included; subqueries are not entered.
std::size_t size_of(const Expr& expr);

// Replaces each column by the expression that `replacement(id)` returns, including in subqueries; if it returns
// nullptr, the column stays.
using Replacement = FunctionRef<const Expr*(AttributeId)>;
void substitute(Expr& expr, Replacement replacement);
void substitute(Rel& rel, Replacement replacement);

// From old attribute ids to new ones.
using Renaming = std::unordered_map<AttributeId, AttributeId>;
// Changes ids, both where they are used and where they are produced. Attributes not in `renaming` keep their ids.
void rename(Rel& rel, const Renaming& renaming);
void rename(Expr& expr, const Renaming& renaming);
// A deep copy of `rel` in which all attributes that it produces have new ids (`renaming`, if given, receives them).
Rel copy_with_new_ids(const Rel& rel, Plan& plan, Renaming* renaming = nullptr);

}  // namespace trustsql::plan
