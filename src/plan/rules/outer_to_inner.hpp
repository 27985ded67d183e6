// Outer joins whose null-extended rows are filtered out become inner joins.
//
// Law        filter[p](R LEFT JOIN S) = filter[p](R JOIN S) if p is not true for any row in which the columns of S are
//            NULL;
//            RIGHT JOIN likewise; FULL JOIN becomes RIGHT, LEFT or inner, depending on the sides for which p rejects
//            NULLs
// Holds      if p is NULL or false there: comparisons, arithmetic, LIKE and built-in functions that are NULL for a
//            NULL operand, IS NOT NULL, and AND and OR of these. p may be further up, with joins, sorts and similar
//            operators in between.
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample outer_to_inner_example{
    .before = "SELECT name, v FROM p LEFT JOIN c ON c.pid = p.id WHERE v > 3",
    .after = "Project p.name, c.v (Filter c.v > 3 (Join inner on c.pid = p.id (Scan p (id, name), Scan c (pid, v))))",
};
extern const Rule outer_to_inner;

}  // namespace trustsql::plan::rules
