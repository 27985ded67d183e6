// Joins with distinct rows whose columns are all equated become semi-joins.
//
// Law        R JOIN[r = d] distinct(project[d](S)) = R semi-join[r = d] project[d](S), with r replacing d above
// Holds      if each column of the distinct rows equals one of R, by = or IS, and there are no other conditions on
// them:
//            a row of R then has at most one match, and DISTINCT does not affect whether it has one. For columns that
//            compare without conversion, under BINARY, and whose equal values are identical.
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample distinct_join_to_semi_join_example{
    .before = "SELECT name FROM p JOIN (SELECT DISTINCT pid FROM c) AS d ON p.id = d.pid",
    .prepared_by = "derived_table_inlining",
    .after = "Project p.name (Join semi on p.id = c.pid (Scan p (id, name), Project c.pid (Scan c (pid))))",
};
extern const Rule distinct_join_to_semi_join;

}  // namespace trustsql::plan::rules
