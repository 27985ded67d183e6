// Building and taking apart pieces of syntax trees, for rewrites of queries.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sql/ast.hpp"

namespace trustsql::equiv::rewriting {

// The operands of a chain of AND (or of OR, with that operator), from left to right; the expression itself if it is
// no such chain. None for an empty box.
std::vector<ast::Expr> operands_of(const ast::Expr& expr, ast::BinaryOp op = ast::BinaryOp::logical_and);
std::vector<ast::Expr> conjuncts_of(const ast::Box<ast::Expr>& condition);
// The same in place, so that what their names mean can be looked up.
std::vector<const ast::Expr*> conjuncts_in(const ast::Box<ast::Expr>& condition);
// The reverse: a chain that associates to the left. An empty box for no operands.
ast::Box<ast::Expr> chain_of(std::vector<ast::Expr> operands, ast::BinaryOp op = ast::BinaryOp::logical_and);
// `a AND b`, where either may be empty.
ast::Box<ast::Expr> both(const ast::Box<ast::Expr>& a, const ast::Box<ast::Expr>& b);

ast::Expr binary(ast::BinaryOp op, ast::Expr left, ast::Expr right);
ast::Expr integer(std::int64_t value);
// name(argument); without an argument name(*).
ast::Expr call(std::string_view name, std::vector<ast::Expr> arguments = {});
// relation.column; only the column if `relation` is empty.
ast::Expr column(std::string_view relation, std::string_view name);
ast::Name unquoted(std::string_view name);
ast::SelectItem item(ast::Expr expr, std::string_view alias = {});
ast::FromItem derived_table(ast::Query query, std::string_view alias);
ast::FromItem table(ast::TableName name, std::string_view alias);
ast::Query query_of(ast::Select select);

bool is_comparison(ast::BinaryOp op);  // = <> < <= > >=
// The operator with its operands exchanged: < for >.
ast::BinaryOp mirrored(ast::BinaryOp op);
// The condition that is true where `condition` is false, and NULL where it is NULL.
ast::Expr negation(const ast::Expr& condition);

// The integer that a literal stands for; nullptr for anything else.
const std::int64_t* integer_value(const ast::Expr& expr, Value& storage);

}  // namespace trustsql::equiv::rewriting
