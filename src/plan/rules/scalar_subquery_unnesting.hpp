// Scalar subqueries become operands of a join.
//
// Law        filter[p(SELECT x FROM S)](R) = project[R](filter[p(x)](R apply S)), the same for projections and inner
//            joins;
//            R apply S = R JOIN S if S is not correlated and has exactly one row, R LEFT JOIN S if it has at most one;
//            a subquery of one row that reads nothing, (SELECT e), is e
// Holds      if S is not random. A subquery without rows is NULL, as are the columns of an apply or left join without
//            a match.
// Example    SELECT name FROM p WHERE age > (SELECT avg(age) FROM p)
//            becomes   p JOIN[age > a] aggregate[a = avg(age)](p)
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

extern const Rule scalar_subquery_unnesting;  // the first law
extern const Rule apply_to_join;              // the second law
extern const Rule scalar_subquery_inlining;   // the third

}  // namespace trustsql::plan::rules
