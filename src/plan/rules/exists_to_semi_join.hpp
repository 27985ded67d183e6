// EXISTS in WHERE becomes a semi-join, NOT EXISTS an anti-join.
//
// Law        filter[EXISTS (S), p](R) = filter[p](R semi-join[c] S'), where S' is S without its conditions c on
//            columns of R;
//            NOT EXISTS the same with an anti-join. What does not affect whether S has rows is removed: its columns,
//            ORDER BY, DISTINCT, GROUP BY without HAVING, LIMIT n > 0. EXISTS over an aggregate without GROUP BY is
//            true.
// Holds      if S is not random. If S depends on R not only in its conditions, the join is an Apply.
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample exists_to_semi_join_example{
    .before = "SELECT name FROM p WHERE EXISTS (SELECT 1 FROM c WHERE c.pid = p.id AND c.v > 3)",
    .after = "Project p.name (Join semi on c.pid = p.id (Scan p (id, name), Filter c.v > 3 (Scan c (pid, v))))",
};
extern const Rule exists_to_semi_join;

}  // namespace trustsql::plan::rules
