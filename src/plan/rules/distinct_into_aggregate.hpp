// Aggregates over DISTINCT become aggregates with DISTINCT.
//
// Law        group[k](f(x))(distinct(project[k, x](R))) = group[k](f(DISTINCT x))(project[k, x](R))
// Holds      for COUNT, SUM, AVG, TOTAL, MIN and MAX of one column x, if DISTINCT is over exactly the keys and x, all
//            compared under BINARY. COUNT(*) counts a NULL in x: it is COUNT(x) only if there is none.
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample distinct_into_aggregate_example{
    .before = "SELECT count(age) FROM (SELECT DISTINCT age FROM p)",
    .prepared_by = "derived_table_inlining",
    .after = "Project count (Aggregate count(DISTINCT p.age) AS count (Project p.age (Scan p (age))))",
};
extern const Rule distinct_into_aggregate;

}  // namespace trustsql::plan::rules
