// Aggregates of a left join that use the rows on the left only, and those that use their matches, are computed apart.
//
// Law        aggregate[f(DISTINCT r), g(s)](R LEFT JOIN[p] S) = aggregate[f(DISTINCT r)](R2) JOIN aggregate[g(s)](R
//            JOIN[p] S), where R2 is a copy of R
// Holds      without GROUP BY, where each of them has one row. f may also be MIN or MAX, to which repetitions do not
//            matter; its argument and FILTER use R only. g is one of COUNT, SUM, AVG, TOTAL, MIN and MAX and ignores
//            a row without a match. Nothing may be random. The result for equal values of r that are not identical is
//            open anyway.
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample scalars_of_left_join_example{
    .before = "SELECT count(c.v), count(DISTINCT p.id) FROM p LEFT JOIN c ON c.pid = p.id",
    .after =
        "Project count_2, count (Project count_2, count (Join inner (Aggregate count(DISTINCT p.id) AS count (Scan p "
        "(id)), Aggregate count(c.v) AS count_2 (Join inner on c.pid = p_2.id (Scan p AS p_2 (id), Scan c (pid, "
        "v))))))",
};
extern const Rule scalars_of_left_join;

}  // namespace trustsql::plan::rules
