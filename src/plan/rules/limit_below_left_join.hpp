// LIMIT moves below left joins that do not add rows.
//
// Law        limit[n](sort[k](R LEFT JOIN[p] S)) = sort[k](limit[n](sort[k](R)) LEFT JOIN[p] S), also with projections
//            in between
// Holds      if each row of R has at most one match, and k uses only columns of R. Ties leave the same choice of rows
//            open on both sides.
// Example    SELECT c.v, p.name FROM c LEFT JOIN p ON c.pid = p.id ORDER BY c.v, c.cid LIMIT 3   joins three rows
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

extern const Rule limit_below_left_join;

}  // namespace trustsql::plan::rules
