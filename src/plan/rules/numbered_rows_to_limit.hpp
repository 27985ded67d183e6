// Rows that are chosen by their number in an order are those of a LIMIT.
//
// Law        filter[n >= a AND n <= b](window[n = row_number() over (order by k)](R)) = limit[b - a + 1, offset a -
//            1](sort[k](R)), without n
// Holds      if no two rows of R agree on k, compared under BINARY, so that each has its number; if nothing above uses
//            n or, unless it is one row, sees the order of the rows. The window has no other call. Not for the first
//            row by a single key, which other rules find by its value.
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample numbered_rows_to_limit_example{
    .before = "SELECT count(*) FROM (SELECT row_number() OVER (ORDER BY age, id) AS n FROM p) WHERE n >= 3 AND n < 7",
    .prepared_by = "derived_table_inlining projection_removal comparison_conversion",
    .after = "Aggregate count(*) AS count (Limit 4 offset 2 (Sort by p.age, p.id (Scan p (id, age))))",
};
extern const Rule numbered_rows_to_limit;

}  // namespace trustsql::plan::rules
