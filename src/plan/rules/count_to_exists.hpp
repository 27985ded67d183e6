// A count that is only compared with zero asks whether there is a row.
//
// Law        (SELECT count(*) FROM R) = 0 as a value is NOT EXISTS (SELECT * FROM R), and > 0, >= 1, <> 0 are EXISTS;
//            the same for the column that an aggregate without groups computes, wherever its row is joined;
//            for counts of one such aggregate, count(x) < count(*) is EXISTS (SELECT * FROM filter[x IS NULL](R)), and
//            count(x) >= count(*) is NOT EXISTS
// Holds      since a count without groups is never NULL. count(x), also with DISTINCT, counts rows where x is not NULL;
//            with FILTER (WHERE p), those where p is true. The rows of R must not be random. A column is replaced only
//            if nothing else uses the aggregate, which is then not needed.
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample count_to_exists_example{
    .before = "SELECT name FROM p WHERE (SELECT count(qid) FROM c WHERE c.pid = p.id) > 0",
    .after =
        "Project p.name (Filter EXISTS (SELECT * FROM subquery1) (Scan p (id, name), subquery1: Filter c.qid IS NOT "
        "NULL (Filter c.pid = p.id (Scan c (pid, qid)))))",
};
extern const Rule count_to_exists;  // in expressions
inline constexpr RuleExample joined_count_to_exists_example{
    .before = "SELECT name FROM p CROSS JOIN (SELECT count(*) AS n FROM c WHERE v > 1) WHERE n = 0 OR age = 3",
    .prepared_by = "derived_table_inlining projection_removal filter_pushdown_join",
    .after =
        "Project p.name (Join inner on NOT EXISTS (SELECT * FROM subquery1) OR p.age = 3 (Scan p (name, age), "
        "Aggregate "
        "count(*) AS count (Filter c.v > 1 (Scan c (v))), subquery1: Filter c_2.v > 1 (Scan c AS c_2 (v))))",
};
extern const Rule joined_count_to_exists;  // in operators over an aggregate

}  // namespace trustsql::plan::rules
