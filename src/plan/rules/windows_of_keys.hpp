// Window functions over rows that keys tell apart.
//
// Law        window[row_number() over (partition by k)](R) = project[1](R), the same for rank, dense_rank and count(*);
//            count(x) = x IS NOT NULL; min(x) = max(x) = first_value(x) = last_value(x) = x;
//            window[rank() over (partition by p order by q)](R) = window[row_number() over (partition by p order by
//            q)](R), the same for dense_rank, and for count(*) of the rows up to the own one
// Holds      the first if no two rows of R agree on k, so that each partition is a row, without FILTER and over a frame
//            that contains the row; the second if no two rows agree on p and q, so that there are no ties. For columns
//            compared under BINARY; for primary keys that may hold NULL, under the assumption that they do not.
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample windows_of_keys_example{
    .before = "SELECT count(score) OVER (PARTITION BY id), rank() OVER (ORDER BY age, name) FROM p",
    .after =
        "Project expr, row_number (Project p.id, p.name, p.age, p.score, p.score IS NOT NULL AS expr, row_number "
        "(Window row_number() OVER (ORDER BY p.age, p.name) AS row_number (Scan p (id, name, age, score))))",
};
extern const Rule windows_of_keys;

}  // namespace trustsql::plan::rules
