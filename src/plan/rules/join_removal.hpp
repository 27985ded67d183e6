// Joins that add nothing.
//
// Law        R LEFT JOIN[p] S = R if nobody uses columns of S and each row of R has at most one partner, or it does not
// matter
//            above how often a row is there;
//            R JOIN[r = s] S = filter[r IS NOT NULL](R), with r for s, if r is a foreign key to the key s of the table
//            S and nobody uses anything else of S; R JOIN[r = s] S = R LEFT JOIN[r = s] S = R, with R's columns for
//            those of S, if r and s are the same key of the same table; of the left join where that use of the table in
//            R may be filled with NULLs as well
// Holds      the first and the last by true keys; of primary keys that may hold NULL under the assumption that they do
// not. The
//            second under the assumption that the foreign key is kept: SQLite does not enforce it unless asked to. Its
//            columns must compare as they are, with BINARY.
// Example    SELECT count(*) FROM c JOIN p ON c.pid = p.id   becomes   SELECT count(*) FROM c
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

extern const Rule left_join_removal;
extern const Rule foreign_key_join_removal;
extern const Rule self_join_removal;

}  // namespace trustsql::plan::rules
