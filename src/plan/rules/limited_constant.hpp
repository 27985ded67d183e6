// The first of rows that cannot be told apart.
//
// Law        limit[1](R) = distinct(R), if each column that is used has the same value in all rows of R;
//            limit[1](R) = group[](R), if no column is used
// Holds      since both have one row, or none if R is empty. The conditions on R must fix the columns under BINARY, to
//            one spelling: 1 and 1.0 are told apart. R must not be random.
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample limited_constant_example{
    .before = "SELECT city FROM p WHERE city = 'a' LIMIT 1",
    .after = "Distinct (Project p.city (Filter p.city = 'a' (Scan p (city))))",
};
extern const Rule limited_constant;

}  // namespace trustsql::plan::rules
