// Left joins of which nothing is asked but whether there is a partner.
//
// Law        expressions over R LEFT JOIN[p] S that look at S only by s IS [NOT] NULL
//            = the same over R with [NOT] EXISTS (filter[p](S)) in the place of these tests
// Holds      if s is never NULL in S, and each row of R has at most one partner.
// Example    SELECT c.v, p.id IS NOT NULL FROM c LEFT JOIN p ON c.qid = p.id
//            becomes   SELECT c.v, EXISTS (SELECT 1 FROM p WHERE p.id = c.qid) FROM c
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

extern const Rule left_join_to_exists;

}  // namespace trustsql::plan::rules
