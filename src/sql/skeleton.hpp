// The structure of a query without its data values: what TrustSQL calls a SQL structure (section 2.3, footnote 2: a
// combination of SQL components with specific tables and columns). Two queries that differ in values only, or in
// spelling, case, aliases and the number of values in an IN list, have the same skeleton.
#pragma once

#include <string>

#include "base/result.hpp"
#include "sql/ast.hpp"

namespace trustsql {

// The skeleton as a query in canonical text, all names in lower case.
//
// Values become `?`: literals, signed ones too, also after LIMIT. Kept are NULL, the position numbers of ORDER BY and
// GROUP BY, and the format of strftime(), which says what is computed and not with which data. A "text" that is
// compared with something, or is a function's argument and no identifier, is a value; no schema is looked at.
//
// Aliases: a table goes by its own name (t, t_2 where it occurs again), a subquery in FROM by derived_N, a common table
// by cte_N, an expression in them by expr_1, expr_2, .... An alias that stands for an expression elsewhere in its
// SELECT is replaced by that expression. Where a SELECT has one table, columns are not qualified by it. Errors:
// limit_exceeded where writing out aliases would make the query much longer (an expression of thousands of nodes that
// is mentioned thousands of times).
Result<std::string> query_skeleton(const ast::Query& query);

}  // namespace trustsql
