// A sum of truth values counts.
//
// Law        aggregate[sum(p)](R) = project[CASE WHEN n = 0 THEN NULL ELSE k END](aggregate[n = count(*), k = count(*)
//            FILTER (WHERE p)](R)); the same for sum(CASE WHEN p THEN 1 ELSE 0 END)
// Holds      without GROUP BY, where the sum over no rows is NULL (with GROUP BY it is aggregate_filter); for p that is
//            never NULL, in the first form 0 or 1. Only for the result of a query: elsewhere the aggregates of a
//            subquery are computed for groups.
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample sum_of_conditions_example{
    .before = "SELECT 100.0 * sum(CASE WHEN age > 30 THEN 1 ELSE 0 END) / count(*) FROM p",
    .after =
        "Project 100.0 * expr / count_2 AS expr_2 (Project CASE WHEN count_3 = 0 THEN NULL ELSE count END AS expr, "
        "count_2 (Aggregate count(*) FILTER (WHERE p.age > 30) AS count, count(*) AS count_2, count(*) AS count_3 "
        "(Scan p (age))))",
};
extern const Rule sum_of_conditions;

}  // namespace trustsql::plan::rules
