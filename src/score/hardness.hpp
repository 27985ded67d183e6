// How hard a query is, by the two schemes that the papers use.
#pragma once

#include <string_view>

#include "sql/ast.hpp"

namespace trustsql {

// TrustSQL, Appendix B.2 (after DIN-SQL):
//   easy    one table, no join, nothing nested
//   medium  joins, also those by a comma; nothing nested
//   hard    subqueries (in expressions, in FROM, in WITH) or set operators
std::string_view trustsql_hardness(const ast::Query& query);

// Spider's official evaluator: easy, medium, hard or extra, from three counts over the outermost query. Of a compound
// query that is the first part, and ORDER BY and LIMIT at the end belong to the last.
//   A  one each for WHERE, GROUP BY, ORDER BY, LIMIT; tables less one; ORs and LIKEs in ON, WHERE and HAVING
//   B  subqueries that stand in a condition of ON, WHERE or HAVING, and one for a compound query
//   C  one each for: more than one aggregate, SELECT item, WHERE condition, GROUP BY column. To the aggregates count
//   those
//      that are a whole SELECT item or stand in ORDER BY, the negated conditions of WHERE and HAVING, and the ANDs and
//      ORs of HAVING; not those inside conditions.
//   easy: A <= 1, B = C = 0. medium: B = 0 and (A <= 1, C <= 2 or A <= 2, C <= 1). hard: B = 0 and (A <= 2, C > 2 or A
//   = 3, C <= 2), or A <= 1, B <= 1, C = 0. extra: all others.
// The evaluator can read only a part of SQL (no comma or LEFT JOIN, no parentheses between conditions, no arithmetic
// beyond one operator ...) and takes what it cannot read for an empty query, which is easy. Here such queries are
// counted by the same rules: parentheses between conditions are looked through, and every table in FROM counts.
std::string_view spider_hardness(const ast::Query& query);

}  // namespace trustsql
