// Removes sorting without effect.
//
// Law        aggregate(sort(R)) = aggregate(R), and the same for joins, DISTINCT, set operators, another sort, EXISTS
//            and IN
// Holds      if the operators between the sort and the result, or the next LIMIT, neither preserve the order nor depend
//            on it. group_concat and similar aggregates depend on it, and so do window functions.
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample sort_removal_example{
    .before = "SELECT count(*) FROM (SELECT age FROM p ORDER BY age)",
    .after = "Project count (Aggregate count(*) AS count (Derived subquery (Project p.age (Scan p (age)))))",
};
extern const Rule sort_removal;

}  // namespace trustsql::plan::rules
