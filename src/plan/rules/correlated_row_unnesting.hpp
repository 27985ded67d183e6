// A subquery that looks up one row for each row becomes a left join.
//
// Law        R apply project[s](filter[p](S)) = project[R, s](R LEFT JOIN[p] S), where only p depends on R
// Holds      if at most one row of S satisfies p for a row of R (p fixes a key of S), s is a column of S, and p
//            contains no subquery. For primary keys that may hold NULL, under the assumption that they do not.
// Example    SELECT c.v, (SELECT p.name FROM p WHERE p.id = c.pid) FROM c
//            becomes   SELECT c.v, p.name FROM c LEFT JOIN p ON p.id = c.pid
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

extern const Rule correlated_row_unnesting;

}  // namespace trustsql::plan::rules
