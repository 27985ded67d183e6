// Aggregates over DISTINCT become aggregates with DISTINCT.
//
// Law        group[k](f(x))(distinct(project[k, x](R))) = group[k](f(DISTINCT x))(project[k, x](R))
// Holds      for COUNT, SUM, AVG, TOTAL, MIN and MAX of one column x, if DISTINCT is over exactly the keys and x, all
//            compared under BINARY. COUNT(*) counts a NULL in x: it is COUNT(x) only if there is none.
// Example    SELECT count(x) FROM (SELECT DISTINCT x FROM t)   becomes   SELECT count(DISTINCT x) FROM t
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

extern const Rule distinct_into_aggregate;

}  // namespace trustsql::plan::rules
