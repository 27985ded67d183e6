// LIMIT below left joins that make no rows.
//
// Law        limit[n](sort[k](R LEFT JOIN[p] S)) = sort[k](limit[n](sort[k](R)) LEFT JOIN[p] S), with projections in
// between as well Holds      if each row of R has at most one partner, and k looks at columns of R only. The rows that
// ties leave open are the
//            same on both sides.
// Example    SELECT c.v, p.name FROM c LEFT JOIN p ON c.pid = p.id ORDER BY c.v, c.cid LIMIT 3   joins three rows
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

extern const Rule limit_below_left_join;

}  // namespace trustsql::plan::rules
