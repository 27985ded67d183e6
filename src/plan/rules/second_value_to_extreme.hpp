// The second of sorted distinct values is the extreme of those behind another one.
//
// Law        limit[1, offset 1](sort[x DESC](distinct(R))) = group[](max(x))(R SEMI JOIN[x < x2] R2), where R2 is a
//            copy of R and the right side has no row if no row of R has a match; min(x) and x > x2 for ascending
//            order
// Holds      if x, the only column of R, is never NULL and compared under BINARY, and its equal values are identical;
//            R must not be random.
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample second_value_to_extreme_example{
    .before = "SELECT DISTINCT w FROM c WHERE w IS NOT NULL ORDER BY w DESC LIMIT 1 OFFSET 1",
    .after =
        "Project max AS expr (Aggregate max(c.w) AS max by () (Join semi on c.w < c_2.w (Project c.w (Filter c.w IS "
        "NOT NULL (Scan c (w))), Project c_2.w (Filter c_2.w IS NOT NULL (Scan c AS c_2 (w))))))",
};
extern const Rule second_value_to_extreme;

}  // namespace trustsql::plan::rules
