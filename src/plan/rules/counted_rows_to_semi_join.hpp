// A condition that counts some rows of a group asks for a row of the group, or that there is none.
//
// Law        filter[n > 0](group[k](n = count(*) FILTER (WHERE p))(R)) =
//            group[k](n = count(*) FILTER (WHERE p))(R) semi-join[k IS k'] filter[p](R'), where R' is R again, and n =
//            0 is the anti-join; count(x) counts the rows where x is not NULL; for the number m of all rows of the
//            group, n = m is the anti-join with the rows that n does not count, and n < m the semi-join
// Holds      if the keys are columns, compared under BINARY, whose equal values are identical: the rows of a group are
//            then those that agree with its key. Nothing in R may be random. Only if nothing else uses n, and R is
//            small; n > 0 alone is common_filter.
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample counted_rows_to_semi_join_example{
    .before = "SELECT city FROM p GROUP BY city HAVING count(*) FILTER (WHERE age > 30) = 0",
    .after =
        "Project p.city (Join anti on p.city IS p_2.city (Aggregate count(*) FILTER (WHERE p.age > 30) AS count by "
        "p.city (Scan p (age, city)), Filter p_2.age > 30 (Scan p AS p_2 (age, city))))",
};
extern const Rule counted_rows_to_semi_join;

}  // namespace trustsql::plan::rules
