// Aggregates over rows of the same tables, each joined as a row of its own, are computed together.
//
// Law        aggregate[f(x)](R) JOIN[q] aggregate[g(y)](R) = aggregate[f(x), g(y)](R), filtered by q;
//            aggregate[f(x)](filter[r](R)) JOIN aggregate[g(y)](filter[s](R)) = aggregate[f(x) FILTER (WHERE r), g(y)
//            FILTER (WHERE s)](R)
// Holds      since each of them has exactly one row. Both must read the same tables; COUNT, SUM, AVG, TOTAL, MIN and
//            MAX, without bare columns; nothing may be random. The second only if no condition uses the aggregates:
//            other rules look at what each of them is computed from.
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample scalar_aggregate_merging_example{
    .before =
        "SELECT n, a FROM (SELECT count(*) AS n FROM p WHERE age > 1), (SELECT avg(score) AS a FROM p WHERE age > 1)",
    .prepared_by = "derived_table_inlining projection_removal",
    .after = "Aggregate count(*) AS count, avg(p.score) AS avg (Filter p.age > 1 (Scan p (age, score)))",
};
extern const Rule scalar_aggregate_merging;

}  // namespace trustsql::plan::rules
