// DISTINCT that only removes the duplicates of a join.
//
// Law        distinct(project[r](R JOIN[p] S)) = project[r](R semi-join[p] S)
// Holds      if r are columns of R in which no two rows of R agree, compared under BINARY, and expressions over R; for
//            primary keys that may hold NULL, under the assumption that they do not.
// Example    SELECT DISTINCT p.id, p.name FROM p JOIN c ON c.pid = p.id
//            becomes   SELECT id, name FROM p WHERE id IN (SELECT pid FROM c)
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

extern const Rule distinct_to_semi_join;

}  // namespace trustsql::plan::rules
