// Filters move into and below joins: each condition moves to the lowest operator that has all its columns.
//
// Law        filter[p](R JOIN[q] S) = R JOIN[p, q] S; a condition on R alone becomes a filter on R, below inner joins,
//            on the left side of left, semi- and anti-joins, on the right side of right joins; the same for conditions
//            in ON of inner joins, and of left, right, semi- and anti-joins for the side that is null-extended or only
//            tested for matches
// Holds      in SQLite as elsewhere: ON of an inner join is part of WHERE. Not for conditions that are random.
// Example    SELECT * FROM a JOIN b ON a.id = b.id WHERE b.x = 3   becomes   a JOIN filter[x = 3](b) ON a.id = b.id
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

extern const Rule filter_pushdown_join;        // inner joins
extern const Rule filter_pushdown_outer_join;  // the others

}  // namespace trustsql::plan::rules
