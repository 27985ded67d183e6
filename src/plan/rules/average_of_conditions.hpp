// An average of truth values is the share of those that are true.
//
// Law        aggregate[avg(p)](R) = project[CAST(k AS REAL) / n](aggregate[k = count(*) FILTER (WHERE p), n =
//            count(*)](R)); the same for avg(CASE WHEN p THEN 1 ELSE 0 END), and with 1.0 and 0.0; if avg has a FILTER,
//            k and n have it, too
// Holds      with and without GROUP BY, since both are NULL over no rows; for p that is never NULL. AVG divides the
// sum,
//            a whole number that a real holds exactly, by n. Only for the result of a query: elsewhere the aggregates
//            of a subquery are computed for groups.
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample average_of_conditions_example{
    .before = "SELECT city, avg(CASE WHEN age > 30 THEN 1.0 ELSE 0 END) FROM p GROUP BY city",
    .after =
        "Project p.city, expr (Project p.city, CAST(count AS REAL) / count_2 AS expr (Aggregate count(*) FILTER (WHERE "
        "p.age > 30) AS count, count(*) AS count_2 by p.city (Scan p (age, city))))",
};
extern const Rule average_of_conditions;

}  // namespace trustsql::plan::rules
