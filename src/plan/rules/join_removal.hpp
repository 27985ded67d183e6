// Removes joins that add nothing.
//
// Law        R LEFT JOIN[p] S = R if no column of S is used and each row of R has at most one match, or duplicates do
//            not matter above;
//            R JOIN[r = s] S = filter[r IS NOT NULL](R), with r replacing s, if r is a foreign key to the key s of the
//            table S and nothing else of S is used;
//            R JOIN[r = s] S = R LEFT JOIN[r = s] S = R, with R's columns replacing those of S, if r and s are the
//            same key of the same table; for the left join also if that use of the table in R may be filled with NULLs
// Holds      the first and the last by true keys; for primary keys that may hold NULL, under the assumption that they
//            do not. The second under the assumption that the foreign key is satisfied: SQLite does not enforce it
//            unless asked to. Its columns must compare without conversion, under BINARY.
// Example    SELECT count(*) FROM c JOIN p ON c.pid = p.id   becomes   SELECT count(*) FROM c
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

extern const Rule left_join_removal;
extern const Rule foreign_key_join_removal;
extern const Rule self_join_removal;

}  // namespace trustsql::plan::rules
