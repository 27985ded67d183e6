// Aggregates over joins of partial aggregates become aggregates over the joined rows ("lazy aggregation": Yan and
// Larson, Eager Aggregation and Lazy Aggregation, VLDB 1995).
//
// Law        group[K](sum(n * x), sum(n * s), min(a))(R JOIN group[k](n = count(*), s = sum(y), a = min(z))(S))
//            = group[K](sum(x), sum(y), min(z))(R JOIN S), and sum(n) = count(*), sum(c) = count(y) for c = count(y);
//            a product may have a factor of each of several partial aggregates; the same for filters and without joins;
//            without GROUP BY above, nullif(count(*), 0) replaces sum(n), which is NULL over no rows;
//            a product of results of several joined groups, each row of which is distinct, is a sum over that row
// Holds      for keys k that are plain columns, compared under BINARY, of which equal values are identical; if the
// upper
//            keys and all conditions use no partial result; if each call above either does not depend on the number of
//            duplicates (MIN, MAX, DISTINCT) or is a SUM of a product with exactly one count or sum of the partial
//            aggregate. Factors over the rows that are or were multiplied hold only numbers and NULL: sum() reads
//            texts otherwise than * does. A product or sum that overflows half-way, or a sum of reals, may differ, as
//            it may for any order of the rows.
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample joined_aggregate_merging_example{
    .before =
        "SELECT age, sum(n * m) FROM (SELECT age, count(*) AS n FROM p GROUP BY age) JOIN (SELECT v, count(*) AS m "
        "FROM c GROUP BY v) ON v = age GROUP BY age",
    .prepared_by = "derived_table_inlining projection_removal",
    .after = "Aggregate count(*) AS count by p.age (Join inner on c.v = p.age (Scan p (age), Scan c (v)))",
};
extern const Rule joined_aggregate_merging;

}  // namespace trustsql::plan::rules
