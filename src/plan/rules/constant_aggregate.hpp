// Aggregates of nothing, and filters of aggregates that are known.
//
// Law        count(NULL) = 0, total(NULL) = 0.0, sum(NULL) = avg(NULL) = min(NULL) = max(NULL) = NULL, the same with
// DISTINCT and of
//            any aggregate FILTER (WHERE p) for p that is never true; f(x) FILTER (WHERE 1) = f(x)
// Holds      for the built-in aggregates; not for MIN and MAX beside bare columns, which they choose the row for.
// Example    SELECT count(*) FILTER (WHERE 0) FROM t   becomes   SELECT 0
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

extern const Rule constant_aggregate;

}  // namespace trustsql::plan::rules
