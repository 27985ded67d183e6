// Guards against a division by zero, which is NULL in SQLite anyway.
//
// Law        x / nullif(y, 0) = x / y; x / CASE WHEN y = 0 THEN NULL ELSE y END = x / y;
//            CASE WHEN y = 0 THEN NULL ELSE x / y END = x / y; CASE WHEN y <> 0 THEN x / y END = x / y;
//            in a dividend, CASE WHEN y = 0 THEN NULL ELSE x END = x; the same for %
// Holds      for any y: what is equal to 0 counts as 0 in a division. Below a dividend in sums, differences, products,
//            quotients and casts, which are NULL if an operand is. y must be neither random nor contain a subquery.
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample division_by_zero_example{
    .before = "SELECT id / nullif(age, 0), CASE WHEN age = 0 THEN NULL ELSE id / age END FROM p",
    .after = "Project p.id / p.age AS expr, p.id / p.age AS expr_2 (Scan p (id, age))",
};
extern const Rule division_by_zero;

}  // namespace trustsql::plan::rules
