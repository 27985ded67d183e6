// Conditional aggregation in one form: FILTER.
//
// Law        agg(CASE WHEN p THEN x END) = agg(x) FILTER (WHERE p) for aggregates that ignore NULLs: count, sum, avg,
//            total, min, max; of CASE WHEN p THEN NULL ELSE x END, with FILTER (WHERE p IS NOT TRUE);
//            with GROUP BY: sum(CASE WHEN p THEN 1 ELSE 0 END) = count(*) FILTER (WHERE p), and sum(p) likewise if p
//            is 0 or 1
// Holds      the second because a group has rows: over no rows SUM is NULL and COUNT is 0. Not for MIN and MAX beside
//            bare columns, whose row they choose.
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample aggregate_filter_example{
    .before = "SELECT count(CASE WHEN age > 3 THEN 1 END) FROM p",
    .after = "Project count (Aggregate count(1) FILTER (WHERE p.age > 3) AS count (Scan p (age)))",
};
extern const Rule aggregate_filter;

}  // namespace trustsql::plan::rules
