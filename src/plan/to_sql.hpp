// SQL for a plan: a query that SQLite runs with the plan's result, whatever the tree.
//
// Operators become clauses of one SELECT as long as they follow each other in the order of SQL's clauses; where they do
// not, what there is so far becomes a subquery in FROM. Every column is qualified and every alias new, so that no name
// can be caught by another. Where SQLite would by itself compare with another affinity or collation than the plan does,
// unary plus takes an affinity away, COLLATE gives a collation, and, should it come to that, a subquery lends an
// affinity.
//
// The rows come in the order of the plan only where it sorts at the top, as in SQL.
#pragma once

#include <string>

#include "plan/plan.hpp"
#include "sql/ast.hpp"

namespace trustsql::plan {

ast::Query to_ast(const Plan& plan);

// The text of to_ast(), on one line.
std::string to_sql(const Plan& plan);

}  // namespace trustsql::plan
