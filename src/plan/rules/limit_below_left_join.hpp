// LIMIT moves below left joins that do not add rows.
//
// Law        limit[n](sort[k](R LEFT JOIN[p] S)) = sort[k](limit[n](sort[k](R)) LEFT JOIN[p] S), also with projections
//            in between
// Holds      if each row of R has at most one match, and k uses only columns of R. Ties leave the same choice of rows
//            open on both sides.
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample limit_below_left_join_example{
    .before = "SELECT v, name FROM c LEFT JOIN p ON c.pid = p.id ORDER BY v, cid LIMIT 3",
    .after =
        "Project c.v, p.name (Sort by c.v, c.cid (Project c.v, p.name, c.cid (Join left on c.pid = p.id (Limit 3 (Sort "
        "by c.v, c.cid (Scan c (cid, pid, v))), Scan p (id, name)))))",
};
extern const Rule limit_below_left_join;

}  // namespace trustsql::plan::rules
