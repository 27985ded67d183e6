// Outer joins in which every row has a match become inner joins.
//
// Law        R LEFT JOIN[p] S = R JOIN[p] S if each row of R has a match; R FULL JOIN S likewise becomes a left, right
//            or inner join;
//            R LEFT JOIN[p] S LEFT JOIN[q] T = R LEFT JOIN[p] (S JOIN[q] T) if each row of S has a match in T
// Holds      if S is a use of a table that R uses as well, and p and the conditions on S are true for a row and
//            itself; or if p is r = s for a foreign key r of R, never NULL, to the table S, under the assumption that
//            the foreign key is satisfied. For the last, q must use columns of S and T only, and not be true if those
//            of S are NULL: a row of R without a match in S has none in T then.
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample matched_outer_join_example{
    .before = "SELECT v, name FROM c LEFT JOIN p ON c.pid = p.id",
    .after = "Project c.v, p.name (Join inner on c.pid = p.id (Scan c (pid, v), Scan p (id, name)))",
};
extern const Rule matched_outer_join;

}  // namespace trustsql::plan::rules
