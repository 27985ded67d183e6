// Filters move into and below joins: each condition moves to the lowest operator that has all its columns.
//
// Law        filter[p](R JOIN[q] S) = R JOIN[p, q] S; a condition on R alone becomes a filter on R, below inner joins,
//            on the left side of left, semi- and anti-joins, on the right side of right joins; the same for conditions
//            in ON of inner joins, and of left, right, semi- and anti-joins for the side that is null-extended or only
//            tested for matches
// Holds      in SQLite as elsewhere: ON of an inner join is part of WHERE. Not for conditions that are random.
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample filter_pushdown_join_example{
    .before = "SELECT name FROM p JOIN c ON c.pid = p.id WHERE v = 3",
    .after = "Project p.name (Join inner on c.pid = p.id (Scan p (id, name), Filter c.v = 3 (Scan c (pid, v))))",
};
extern const Rule filter_pushdown_join;  // inner joins
inline constexpr RuleExample filter_pushdown_outer_join_example{
    .before = "SELECT name, v FROM p LEFT JOIN c ON c.pid = p.id WHERE age > 3",
    .after =
        "Project p.name, c.v (Join left on c.pid = p.id (Filter p.age > 3 (Scan p (id, name, age)), Scan c (pid, v)))",
};
extern const Rule filter_pushdown_outer_join;  // the others

}  // namespace trustsql::plan::rules
