// Removes columns that are not used.
//
// Law        project[x, y](R) = project[x](R) if y is not used above; the same for the columns of scans and VALUES,
//            aggregates and window functions
// Holds      if the number and order of the columns do not matter above. MIN and MAX stay as long as a bare column is
//            used, since they choose its row. An error that an unused expression would have caused (an overflow of
//            SUM) is no longer raised.
// Example    SELECT name FROM (SELECT name, count(*) AS n FROM singer GROUP BY name)   loses n
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

extern const Rule column_pruning;

}  // namespace trustsql::plan::rules
