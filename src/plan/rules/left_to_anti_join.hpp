// Left joins that keep only rows without a match become anti-joins.
//
// Law        filter[s IS NULL, q](R LEFT JOIN[p] S) = filter[q](project[R, NULL for S](R anti-join[p] S))
// Holds      if s, a column of S, is never NULL in a match: it is not NULL in S, or p is not true if it is NULL. For
//            primary keys that may hold NULL, under the assumption that they do not.
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample left_to_anti_join_example{
    .before = "SELECT name FROM p LEFT JOIN c ON p.id = c.pid WHERE c.pid IS NULL",
    .after =
        "Project p.name (Project p.id, p.name, NULL AS expr (Join anti on p.id = c.pid (Scan p (id, name), Scan c "
        "(pid))))",
};
extern const Rule left_to_anti_join;

}  // namespace trustsql::plan::rules
