// Aggregates over whole partitions are those of the groups that the rows are joined with.
//
// Law        window[n = f(x) over (partition by p)](R) = R JOIN[p IS q] group[q](n = f(y))(S), where S is a copy of R
//            and q, y the copies of p, x; without partitions R JOIN aggregate[n = f(y)](S)
// Holds      for COUNT, SUM, AVG, TOTAL, MIN and MAX without an order, or over a frame of all rows, partitioned by
//            columns under BINARY, if R has no window functions itself, is not random and does not depend on rows
//            outside. Each row has one group, and without partitions there is a row if R has one. A sum of reals may
//            differ, as it may for any order of the rows.
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample window_to_groups_example{
    .before = "SELECT name, avg(score) OVER (PARTITION BY city), rank() OVER (ORDER BY age) FROM p",
    .after =
        "Project p.name, avg, rank (Project p.name, p.age, p.city, p.score, avg, rank (Join inner on p.city IS "
        "p_2.city (Window rank() OVER (ORDER BY p.age) AS rank (Scan p (name, age, city, score)), Aggregate "
        "avg(p_2.score) AS avg by p_2.city (Scan p AS p_2 (name, age, city, score)))))",
};
extern const Rule window_to_groups;

}  // namespace trustsql::plan::rules
