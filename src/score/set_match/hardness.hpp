// The hardness of a query, by the two schemes that the papers use.
#pragma once

#include <string_view>

#include "sql/ast.hpp"

namespace trustsql {

// TrustSQL, Appendix B.2 (after DIN-SQL):
//   easy    one table, no join, nothing nested
//   medium  joins, including comma joins; nothing nested
//   hard    subqueries (in expressions, in FROM, in WITH) or set operators
std::string_view trustsql_hardness(const ast::Query& query);

// Spider's official evaluator: easy, medium, hard or extra, from three counts over the outermost query. In a compound
// query only the first part is counted; ORDER BY and LIMIT at the end belong to the last part.
//   A  one each for WHERE, GROUP BY, ORDER BY, LIMIT; the tables minus one; ORs and LIKEs in ON, WHERE and HAVING
//   B  subqueries in conditions of ON, WHERE or HAVING, and one for a compound query
//   C  one each for: more than one aggregate, SELECT item, WHERE condition, GROUP BY column. Counted as aggregates are
//      those that are a whole SELECT item or appear in ORDER BY, the negated conditions of WHERE and HAVING, and the
//      ANDs and ORs of HAVING; aggregates inside conditions are not counted.
//   easy:   A <= 1, B = C = 0
//   medium: B = 0 and (A <= 1, C <= 2 or A <= 2, C <= 1)
//   hard:   B = 0 and (A <= 2, C > 2 or A = 3, C <= 2), or A <= 1, B <= 1, C = 0
//   extra:  all others
// The evaluator can read only a part of SQL (no comma or LEFT JOIN, no parentheses between conditions, no arithmetic
// beyond one operator ...) and treats a query it cannot read as an empty one, which is easy. Here such queries are
// counted by the same rules: parentheses between conditions are ignored, and every table in FROM counts.
std::string_view spider_hardness(const ast::Query& query);

}  // namespace trustsql
