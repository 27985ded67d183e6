// Rows that are sorted by their number in an order are sorted by that order.
//
// Law        sort[n](window[n = row_number() over (order by k)](R)) = sort[k](window[n = row_number() over (order by
//            k)](R)), the same with filters in between, and projections that pass the keys on
// Holds      if no two rows of R agree on k, compared under BINARY.
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample sort_by_row_number_example{
    .before = "SELECT id, age, row_number() OVER (ORDER BY age DESC, id) AS n FROM p ORDER BY n",
    .after =
        "Sort by p.age DESC, p.id (Project p.id, p.age, row_number (Window row_number() OVER (ORDER BY p.age DESC, "
        "p.id) AS row_number (Scan p (id, age))))",
};
extern const Rule sort_by_row_number;

}  // namespace trustsql::plan::rules
