// Scalar subqueries move from expressions into an Apply.
//
// Law        filter[p(SELECT x FROM S)](R) = project[R](filter[p(x)](R apply S)), the same for projections and inner
//            joins
// Holds      if S is not random. A subquery without rows is NULL, as are the columns of an apply without a match.
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample scalar_subquery_unnesting_example{
    .before = "SELECT name FROM p WHERE age > (SELECT avg(age) FROM p)",
    .after =
        "Project p.name (Project p.name, p.age (Filter p.age > avg (Apply scalar (Scan p (name, age), Project avg "
        "(Aggregate avg(p_2.age) AS avg (Scan p AS p_2 (age)))))))",
};
extern const Rule scalar_subquery_unnesting;

}  // namespace trustsql::plan::rules
