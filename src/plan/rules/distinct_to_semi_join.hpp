// DISTINCT that only removes the duplicates of a join.
//
// Law        distinct(project[r](R JOIN[p] S)) = project[r](R semi-join[p] S)
// Holds      if r are columns of R in which no two rows of R agree, compared under BINARY, and expressions over R; for
//            primary keys that may hold NULL, under the assumption that they do not.
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample distinct_to_semi_join_example{
    .before = "SELECT DISTINCT p.id, p.name FROM p JOIN c ON c.pid = p.id",
    .after = "Project p.id, p.name (Join semi on c.pid = p.id (Scan p (id, name), Scan c (pid)))",
};
extern const Rule distinct_to_semi_join;

}  // namespace trustsql::plan::rules
