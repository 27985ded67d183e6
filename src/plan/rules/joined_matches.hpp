// Rows that are looked up for the matches of a left join are joined with these, if groups use no others.
//
// Law        group[k](f(t), ...)(R LEFT JOIN[p] S LEFT JOIN[q] T) = group[k](f(t), ...)(R LEFT JOIN[p] (S JOIN[q] T))
// Holds      for keys over R, so that the groups are the same: each row of R is there, matched or not. q must use
//            columns of S and T only, and not be true if those of S are NULL. The aggregates ignore rows without a
//            match in T: COUNT, SUM, AVG, TOTAL, MIN and MAX of what is NULL if the columns of T are, or with a
//            FILTER that is not true then. Without bare columns; nothing in S, T and q may be random.
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample joined_matches_example{
    .before =
        "SELECT p.id, count(d.cid) FROM p LEFT JOIN c ON c.pid = p.id LEFT JOIN c AS d ON d.qid = c.cid GROUP BY p.id",
    .after =
        "Project p.id, count (Aggregate count(c_2.cid) AS count by p.id (Join left on c.pid = p.id (Scan p (id), Join "
        "inner on c_2.qid = c.cid (Scan c (cid, pid), Scan c AS c_2 (cid, qid)))))",
};
extern const Rule joined_matches;

}  // namespace trustsql::plan::rules
