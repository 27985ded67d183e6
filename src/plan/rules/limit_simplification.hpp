// Limits in their simplest form.
//
// Law        limit[n < 0](R) = R; limit[0](R) has no rows; limit[n, offset <= 0](R) = limit[n](R);
//            limit[n1, o1](limit[n2, o2](R)) = limit[min(n1, n2 - o1), o1 + o2](R);
//            limit[n](R) = R if R has at most one row, n > 0; limit[n, o](R) = {} if R has at most one row, o > 0;
//            the same if R has at most m rows, m <= n or m <= o, by a limit below filters, projections and sorting
// Holds      for integer literals; a LIMIT that is text, a real or an expression is left alone.
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample limit_simplification_example{
    .before = "SELECT count(*) FROM p LIMIT 1",
    .after = "Project count (Aggregate count(*) AS count (Scan p))",
};
extern const Rule limit_simplification;

}  // namespace trustsql::plan::rules
