// Removes left joins that add nothing.
//
// Law        R LEFT JOIN[p] S = R if no column of S is used and each row of R has at most one match, or duplicates do
//            not matter above
// Holds      by true keys of S; for primary keys that may hold NULL, under the assumption that they do not. Not if S is
//            random.
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample left_join_removal_example{
    .before = "SELECT v FROM c LEFT JOIN p ON c.pid = p.id",
    .after = "Project c.v (Scan c (pid, v))",
};
extern const Rule left_join_removal;

}  // namespace trustsql::plan::rules
