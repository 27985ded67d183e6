// A test that a column is not NULL, below groups, where a condition above them drops the rows with that NULL anyway.
//
// Law        join[p(k)](group[k, ...](f(y))(filter[k IS NOT NULL](R)), S) = join[p(k)](group[k, ...](f(y))(R), S);
//            join[p(v)](group[k](f(x) AS v)(filter[x IS NOT NULL](R)), S) = join[p(v)](group[k](f(x) AS v)(R), S);
//            the same with a filter or a semi join in the place of the join, with the right side of an anti join, and
//            with sets, windows, DISTINCT and further joins in the place of the groups
// Holds      if p is not true for a NULL. The operators between the condition and the test must keep rows that differ
//            in such a NULL apart: keys of groups and of partitions, columns of sets and of the preserved side of a
//            join. In the second form f is MIN, MAX, SUM or AVG, every aggregate ignores the rows in which x is NULL,
//            and equal keys are identical, so that the other rows show the same ones. It is not used directly below a
//            filter, where having_not_null adds such tests. What is tested must not be random.
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample unneeded_null_test_example{
    .before =
        "SELECT name, n FROM p, (SELECT qid, count(*) AS n FROM c WHERE qid IS NOT NULL GROUP BY qid) AS d "
        "WHERE d.qid = p.id",
    .prepared_by = "derived_table_inlining filter_pushdown_join projection_removal",
    .after =
        "Project p.name, count (Join inner on c.qid = p.id (Scan p (id, name), Aggregate count(*) AS count by c.qid "
        "(Scan c (qid))))",
};
extern const Rule unneeded_null_test;

}  // namespace trustsql::plan::rules
