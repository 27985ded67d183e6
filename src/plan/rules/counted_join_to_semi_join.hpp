// DISTINCT in an aggregate that only undoes the duplicates of a join.
//
// Law        group[k](count(DISTINCT r))(R JOIN[p] S) = group[k](count(r))(R semi-join[p] S); MIN and MAX remain
// Holds      if r is a column of R in which no two rows of R agree, compared under BINARY, and k and the arguments of
//            MIN and MAX are expressions over R; with and without GROUP BY. r may also be a column of S that p equates
//            with one of R, if equal values are identical. For primary keys that may hold NULL, under the assumption
//            that they do not.
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample counted_join_to_semi_join_example{
    .before = "SELECT p.city, count(DISTINCT p.id) FROM p JOIN c ON c.pid = p.id GROUP BY p.city",
    .after =
        "Project p.city, count (Aggregate count(p.id) AS count by p.city (Join semi on c.pid = p.id (Scan p (id, "
        "city), Scan c (pid))))",
};
extern const Rule counted_join_to_semi_join;

}  // namespace trustsql::plan::rules
