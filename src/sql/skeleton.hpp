// The structure of a query without its data values: a SQL structure in the terms of TrustSQL (section 2.3, footnote 2:
// a combination of SQL components with specific tables and columns). Two queries have the same skeleton if they differ
// only in values, spelling, case, aliases and the number of values in an IN list.
#pragma once

#include <string>

#include "base/result.hpp"
#include "sql/ast.hpp"

namespace trustsql {

// The skeleton as the canonical text of a query, with all names in lower case.
//
// Values become `?`: literals, including signed ones and those after LIMIT. NULL, the position numbers of ORDER BY and
// GROUP BY, and the format of strftime() are kept: the format determines what is computed, not on which data. A "text"
// that is compared with something, or is a function's argument and not an identifier, is a value; the schema is not
// used.
//
// Aliases: a table is called by its own name (t, or t_2 if it occurs again), a subquery in FROM derived_N, a common
// table cte_N, an expression in them expr_1, expr_2, .... An alias that stands for an expression elsewhere in its
// SELECT is replaced by that expression. If a SELECT has only one table, columns are not qualified. Errors:
// limit_exceeded if replacing aliases would make the query much longer (an expression of thousands of nodes that is
// used thousands of times).
Result<std::string> query_skeleton(const ast::Query& query);

}  // namespace trustsql
