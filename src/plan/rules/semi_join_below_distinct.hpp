// Semi- and anti-joins move below DISTINCT.
//
// Law        distinct(R) semi-join[p] S = distinct(R semi-join[p] S), and the same for anti-joins
// Holds      if rows that count as equal are identical in the columns of p: columns compared under BINARY that do not
//            mix 1 and 1.0; p is not random and has no subquery.
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample semi_join_below_distinct_example{
    .before = "SELECT name FROM (SELECT DISTINCT name, id FROM p) WHERE id NOT IN (SELECT pid FROM c)",
    .prepared_by = "in_to_semi_join derived_table_inlining projection_removal",
    .after =
        "Project p.name (Distinct (Join anti on p.id = c.pid IS NOT FALSE (Project p.name, p.id (Scan p (id, name)), "
        "Scan c (pid))))",
};
extern const Rule semi_join_below_distinct;

}  // namespace trustsql::plan::rules
