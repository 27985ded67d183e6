// Conditions on group keys filter rows instead of groups.
//
// Law        filter[p](aggregate[keys, calls](R)) = aggregate[keys, calls](filter[p](R)) if p uses only keys
// Holds      with GROUP BY: without it an aggregate has a row even for an empty input (SUM and MAX are then NULL), and
//            a filter below would not remove that. The rows of a group must agree on p, hence only for keys compared
//            under BINARY that do not mix 1 and 1.0, unless p compares plain columns. p is not random.
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample having_to_where_example{
    .before = "SELECT city, count(*) FROM p GROUP BY city HAVING city <> 'a'",
    .after = "Project p.city, count (Aggregate count(*) AS count by p.city (Filter p.city != 'a' (Scan p (city))))",
};
extern const Rule having_to_where;

}  // namespace trustsql::plan::rules
