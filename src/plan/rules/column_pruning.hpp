// Removes columns that are not used.
//
// Law        project[x, y](R) = project[x](R) if y is not used above; the same for the columns of scans and VALUES,
//            aggregates and window functions
// Holds      if the number and order of the columns do not matter above. MIN and MAX stay as long as a bare column is
//            used, since they choose its row. An error that an unused expression would have caused (an overflow of
//            SUM) is no longer raised.
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample column_pruning_example{
    .before = "SELECT city FROM (SELECT city, count(*) AS n FROM p GROUP BY city)",
    .after = "Project p.city (Derived subquery (Project p.city (Aggregate by p.city (Scan p (city)))))",
};
extern const Rule column_pruning;

}  // namespace trustsql::plan::rules
