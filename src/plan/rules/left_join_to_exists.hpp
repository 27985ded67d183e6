// Left joins that are only used to test whether there is a match.
//
// Law        expressions over R LEFT JOIN[p] S that use S only in s IS [NOT] NULL
//            = the same over R with [NOT] EXISTS (filter[p](S)) replacing these tests
// Holds      if s is never NULL in S, and each row of R has at most one match.
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample left_join_to_exists_example{
    .before = "SELECT v, p.id IS NOT NULL FROM c LEFT JOIN p ON c.qid = p.id",
    .after =
        "Project c.v, EXISTS (SELECT * FROM subquery1) AS expr (Scan c (qid, v), subquery1: Filter c.qid = p.id (Scan "
        "p (id)))",
};
extern const Rule left_join_to_exists;

}  // namespace trustsql::plan::rules
