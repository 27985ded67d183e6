// Relations that cannot have rows are replaced by the empty relation.
//
// Law        filter[never true](R) = {}; {} JOIN R = {}; R LEFT JOIN {} = R with NULLs; {} semi-join R = {}; R
//            anti-join {} = R;
//            R anti-join S = {} without conditions if S has a row;
//            project, filter, sort, limit, distinct, window and GROUP BY over {} = {}; R UNION ALL {} = R;
//            aggregate[count(x), sum(y)]({}) = one row of 0 and NULL
// Holds      always; the last for COUNT, SUM, AVG, TOTAL, MIN and MAX, and for bare columns of tables, which are NULL.
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample empty_relation_example{
    .before = "SELECT name FROM p WHERE 0",
    .after = "Values",
};
extern const Rule empty_relation;

}  // namespace trustsql::plan::rules
