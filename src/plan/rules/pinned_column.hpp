// A column that a condition fixes is a constant as a key of a GROUP BY and in MIN and MAX.
//
// Law        group[k, name](calls)(filter[k = 5](R)) = project[5 AS k, name, calls](group[name](calls)(filter[k =
//            5](R)));
//            min(k) = min(5) and max(k) = max(5) over filter[k = 5](R); the same for k IS NULL, which makes it NULL
// Holds      for a plain column under BINARY whose value is identical to the constant where it is equal to it: a column
//            of integers and an integer, one of texts and a text, or one of reals and a real.
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample pinned_column_example{
    .before = "SELECT city, count(*) FROM p WHERE city = 'Oslo' GROUP BY city",
    .after =
        "Project expr, count (Project 'Oslo' AS expr, count (Aggregate count(*) AS count by () (Filter p.city = "
        "'Oslo' (Scan p (city)))))",
};
extern const Rule pinned_column;

}  // namespace trustsql::plan::rules
