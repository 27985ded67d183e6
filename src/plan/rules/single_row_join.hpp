// Joins with one row without columns, which is what a SELECT without FROM reads.
//
// Law        R JOIN {()} = R; values[(e1, ...)] = project[e1, ...]({()}); an aggregate without GROUP BY and without
//            calls = {()}
// Holds      always; with conditions the join becomes a filter.
// Example    SELECT t.a, k.x FROM t, (SELECT 5 AS x) AS k   becomes   SELECT a, 5 FROM t
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

extern const Rule single_row_join;

}  // namespace trustsql::plan::rules
