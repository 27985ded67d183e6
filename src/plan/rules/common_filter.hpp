// A FILTER that all aggregates have is a condition on the rows.
//
// Law        aggregate[f(x) FILTER (WHERE p), g(y) FILTER (WHERE p)](R) = aggregate[f(x), g(y)](filter[p](R));
//            filter[q](group[k](f(x) FILTER (WHERE p), ...)(R)) = filter[q](group[k](f(x), ...)(filter[p](R)))
// Holds      for COUNT, SUM, AVG, TOTAL, MIN and MAX, to which the order of rows does not matter. The first without
//            GROUP BY, since there is one row in either case; the second if q is not true for the results that these
//            have over no rows, and equal keys are identical: of 'a' and 'A', equal under NOCASE, a group shows either.
//            p must not be random.
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample common_filter_example{
    .before = "SELECT count(*) FILTER (WHERE age > 1), sum(id) FILTER (WHERE city = 'x' AND age > 1) FROM p",
    .prepared_by = "conjunct_simplification",
    .after =
        "Project count, sum (Aggregate count(*) AS count, sum(p.id) FILTER (WHERE p.city = 'x') AS sum (Filter p.age > "
        "1 (Scan p (id, age, city))))",
};
extern const Rule common_filter;

}  // namespace trustsql::plan::rules
