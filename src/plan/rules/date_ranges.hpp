// Comparisons of dates, and of parts of them, become bounds that are dates.
//
// Law        substr(x, 1, 4) = '2021'          = x >= '2021-01-01' AND x <= '2021-12-31'
//            substr(x, 1, 7) > '2021-06'       = x >= '2021-07-01', and the same for other parts at the beginning and
//                                                other comparisons
//            x LIKE '2021-06%'                 = x >= '2021-06-01' AND x <= '2021-06-30'
//            x LIKE '%-06-%'                   = (substr(x, 6, 2) = '06')
//            x > '2021-06-14'                  = x >= '2021-06-15'; x < '2021' = x <= '2020-12-31'
//            CAST(substr(x, 6, 2) AS INTEGER) = 6 = (substr(x, 6, 2) = '06'), and the same for years, days and so on,
//                                                for + 0 in place of CAST, other comparisons and IN
//            substr(x, 6, 2) > '06'            = substr(x, 6, 2) >= '07'
// Holds      under the assumption that the column x holds only texts of dates (of dates with a time, then the bounds
//            are seconds), whose order as texts is that of their days. For literals of ASCII characters, where there
//            are dates at the bounds.
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample date_ranges_example{
    .before = "SELECT name FROM p WHERE city > '2021-06-14'",
    .after = "Project p.name (Filter p.city >= '2021-06-15' (Scan p (name, city)))",
};
extern const Rule date_ranges;

}  // namespace trustsql::plan::rules
