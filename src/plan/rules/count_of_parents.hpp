// Counting the rows that others refer to.
//
// Law        aggregate[count(*)](R semi-join[r = s] S) = aggregate[count(DISTINCT s)](S)
// Holds      without GROUP BY, if r is the key of the table R, which is not filtered, and s a foreign key to it, under
//            the assumption that it is satisfied: then each value of s but NULL is that of one row of R. r and s are
//            compared under BINARY without conversion. S must not depend on R, or be random.
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample count_of_parents_example{
    .before = "SELECT count(*) FROM p WHERE EXISTS (SELECT 1 FROM c WHERE c.pid = p.id AND c.v > 3)",
    .prepared_by = "exists_to_semi_join filter_pushdown_join conjunct_simplification apply_to_join",
    .after = "Project count (Aggregate count(DISTINCT c.pid) AS count (Filter c.v > 3 (Scan c (pid, v))))",
};
extern const Rule count_of_parents;

}  // namespace trustsql::plan::rules
