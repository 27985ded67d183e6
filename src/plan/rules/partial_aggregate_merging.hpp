// Aggregates of partial aggregates become aggregates of the rows.
//
// Law        group[k](sum(n), sum(s), min(a), max(b)) over group[k, ...](n = count(x), s = sum(y), a = min(z), b =
//            max(z))(R)
//            = group[k](count(x), sum(y), min(z), max(z))(R); the same over a UNION ALL of such groups;
//            for a lower key y that is not an upper one: min(y) = min(y) over the rows, the same for max and
//            f(DISTINCT y), and f(y) = f(DISTINCT y) for count, sum, avg and total if it is the only such key,
//            as is count(*) = count(DISTINCT y) if y is never NULL
// Holds      if the upper keys are lower keys or constants, compared under BINARY; without GROUP BY above only if
//            there is none below, since SUM over no rows is NULL and COUNT is 0; for columns of the same affinity.
//            Partial aggregates have neither DISTINCT nor FILTER. A sum that overflows half-way, or a sum of reals,
//            may differ, as it may for any order of the rows.
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample partial_aggregate_merging_example{
    .before = "SELECT city, sum(n) FROM (SELECT city, age, count(*) AS n FROM p GROUP BY city, age) GROUP BY city",
    .prepared_by = "derived_table_inlining projection_removal",
    .after = "Aggregate count(*) AS count by p.city (Project p.city (Scan p (age, city)))",
};
extern const Rule partial_aggregate_merging;

}  // namespace trustsql::plan::rules
