// An aggregate that is computed twice is computed once.
//
// Law        group[k](f(x) AS a, f(x) AS b)(R) = group[k](f(x) AS a)(R), with a in the place of b above
// Holds      for calls that are the same but for their names and have neither random parts nor subqueries, if there are
// no bare columns: which
//            row these come from depends on the number of calls of MIN and MAX.
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample duplicate_aggregate_example{
    .before = "SELECT city FROM p GROUP BY city HAVING count(id) + count(name) > 5",
    .prepared_by = "count_simplification",
    .after =
        "Project p.city (Filter count + count > 5 (Aggregate count(*) AS count by p.city (Scan p (id, name, city))))",
};
extern const Rule duplicate_aggregate;

}  // namespace trustsql::plan::rules
