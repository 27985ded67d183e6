// SQL for a plan: a query for which SQLite returns the plan's result, for any tree.
//
// Operators become clauses of one SELECT as long as they follow each other in the order of SQL's clauses; otherwise the
// part written so far becomes a subquery in FROM. Every column is qualified and every alias is new, so that no name can
// capture another. Where SQLite would by default compare with another affinity or collation than the plan, unary plus
// removes an affinity, COLLATE sets a collation, and, as a last resort, a subquery adds an affinity.
//
// As in SQL, the order of the rows is that of the plan only if the plan sorts at the top.
#pragma once

#include <string>

#include "plan/plan.hpp"
#include "sql/ast.hpp"

namespace trustsql::plan {

ast::Query to_ast(const Plan& plan);

// The text of to_ast(), on one line.
std::string to_sql(const Plan& plan);

}  // namespace trustsql::plan
