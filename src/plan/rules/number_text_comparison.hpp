// Texts that are cast to numbers before they are compared need no cast.
//
// Law        CAST(x AS INTEGER) = 5 = (x = '5'), and the same for <>, IS and IS NOT;
//            CAST(x AS INTEGER) < y = (x < y), compared with numeric affinity, and the same for other comparisons, if y
//            is a number or has a numeric affinity; other numeric types and x + 0 likewise
// Holds      under the assumption that the column x, which has the affinity TEXT, holds only texts of numbers (of
//            integers, for a CAST to INTEGER) as SQLite writes them: '05', '5.0' and ' 5' are all cast to 5. For
//            numbers of at most 15 digits.
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample number_text_comparison_example{
    .before = "SELECT name FROM p WHERE CAST(city AS INTEGER) = 5",
    .after = "Project p.name (Filter p.city = '5' (Scan p (name, city)))",
};
extern const Rule number_text_comparison;

}  // namespace trustsql::plan::rules
