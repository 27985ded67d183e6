// Left joins that are only used to test whether there is a match.
//
// Law        expressions over R LEFT JOIN[p] S that use S only in s IS [NOT] NULL
//            = the same over R with [NOT] EXISTS (filter[p](S)) replacing these tests
// Holds      if s is never NULL in S, and each row of R has at most one match.
// Example    SELECT c.v, p.id IS NOT NULL FROM c LEFT JOIN p ON c.qid = p.id
//            becomes   SELECT c.v, EXISTS (SELECT 1 FROM p WHERE p.id = c.qid) FROM c
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

extern const Rule left_join_to_exists;

}  // namespace trustsql::plan::rules
