// Groups of rows that are joined with groups of the same rows by the same columns are computed together with these.
//
// Law        group[p](f(s), ...)(S JOIN P JOIN group[q](g(t), ...)(T)) with s.q = p = t.q, filtered by c =
//            filter[c](group[p](f(s), ..., g(s), ...)(S JOIN P)) with s.q = p
// Holds      if T is S, a table with the same conditions, again, and c uses the groups' aggregates alone. Each group
//            on the left must have all rows of T for its q, each once: the keys p and s.q determine each other; P has
//            one row at most for each q; nothing else of S is compared. COUNT, SUM, AVG, TOTAL, MIN and MAX; q must
//            be columns under BINARY of which equal values are identical, and nothing may be random.
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample groups_of_joined_rows_example{
    .before =
        "SELECT p.id, sum(c.v) FROM p JOIN c ON c.pid = p.id JOIN (SELECT pid, count(*) AS n FROM c GROUP BY pid) AS g "
        "ON "
        "g.pid = p.id WHERE g.n > 2 GROUP BY p.id",
    .prepared_by = "derived_table_inlining projection_removal filter_pushdown_join",
    .after =
        "Project p.id, sum (Filter count > 2 (Aggregate sum(c.v) AS sum, count(*) AS count by p.id (Join inner on "
        "c.pid = p.id AND c.pid = p.id (Scan p (id), Scan c (pid, v)))))",
};
extern const Rule groups_of_joined_rows;

}  // namespace trustsql::plan::rules
