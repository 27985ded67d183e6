// A subquery that aggregates the matches of a row becomes a left join with their groups.
//
// Law        R apply aggregate[calls](filter[r = s, q](S)) = R LEFT JOIN[r = s] group[s](calls)(filter[q](S)),
//            where count and total are 0 for a row without matches
// Holds      for equalities that compare without conversion, under BINARY, if nothing else in the subquery depends on
//            R; for COUNT, SUM, AVG, TOTAL, MIN, MAX and GROUP_CONCAT, without bare columns. Each row has at most one
//            group, since s is the key of the groups.
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample correlated_aggregate_unnesting_example{
    .before = "SELECT name FROM p WHERE age > (SELECT avg(v) FROM c WHERE c.pid = p.id)",
    .prepared_by = "scalar_subquery_unnesting",
    .after =
        "Project p.name (Project p.id, p.name, p.age (Filter p.age > avg (Project p.id, p.name, p.age, avg (Join left "
        "on c.pid = p.id (Scan p (id, name, age), Aggregate avg(c.v) AS avg by c.pid (Scan c (pid, v)))))))",
};
extern const Rule correlated_aggregate_unnesting;

// For correlation_above_groups. Takes the step on an Apply; false if the law does not hold.
bool unnest_correlated_aggregate(Rel& rel, RuleContext& context);
// The column of the inner query that `conjunct` equates with an expression over the outer one; nullptr if it is not
// such an equality.
const AttributeId* equated_inner_column(const Expr& conjunct, const AttributeSet& outside, const AttributeSet& inside,
                                        const Plan& plan);

}  // namespace trustsql::plan::rules
