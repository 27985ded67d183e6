// Comparisons of a column with the maximum or minimum of the same column.
//
// Law        R JOIN[r >= m] aggregate[m = max(t)](T) = R JOIN[r = m] aggregate[m = max(t)](T), where r is the column t
//            of a row of T that is part of R; r <> m is r < m; r <= m and r <> m likewise with MIN
// Holds      if T is an unfiltered table, or any other relation that is not random and does not depend on rows outside,
//            since r is then one of the values; with the collation of MAX in the comparison.
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample extreme_comparison_example{
    .before = "SELECT name FROM p WHERE age >= (SELECT max(age) FROM p)",
    .prepared_by = "scalar_subquery_unnesting apply_to_join projection_pull_up projection_removal filter_pushdown_join",
    .after =
        "Project p.name (Join inner on p.age = max (Scan p (name, age), Aggregate max(p_2.age) AS max (Scan p AS p_2 "
        "(age))))",
};
extern const Rule extreme_comparison;

}  // namespace trustsql::plan::rules
