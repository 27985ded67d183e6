// Semi- and anti-joins move above joins, so that inner joins are adjacent.
//
// Law        (R semi-join[p] S) JOIN[q] T = (R JOIN[q] T) semi-join[p] S; the same on the left side of a left join, on
//            either side of an inner one, and for anti-joins and Applies of both kinds;
//            filter[p](R) semi-join S = filter[p](R semi-join S) holds as well, but filters move down
//            (filter_pushdown_join)
// Holds      always: whether a row has matches in S does not depend on T, and each row of T multiplies rows of R as a
//            whole.
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample semi_join_pull_up_example{
    .before = "SELECT q.name, c.v FROM (SELECT * FROM p WHERE id IN (SELECT qid FROM c)) AS q JOIN c ON c.pid = q.id",
    .prepared_by = "in_to_semi_join derived_table_inlining projection_removal",
    .after =
        "Project p.name, c.v (Join semi on p.id = c_2.qid (Join inner on c.pid = p.id (Scan p (id, name, age, city, "
        "score), Scan c (pid, v)), Scan c AS c_2 (qid)))",
};
extern const Rule semi_join_pull_up;

}  // namespace trustsql::plan::rules
