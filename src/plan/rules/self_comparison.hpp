// Comparisons of an expression with itself.
//
// Law        a = a, a <= a and a >= a are true if a IS NOT NULL, else NULL; a <> a, a < a and a > a are never true;
//            a IS a = 1; a IS NOT a = 0
// Holds      if a is neither random nor contains a subquery (SQLite has no NaN); the first two if only truth matters,
//            or if a is never NULL.
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample self_comparison_example{
    .before = "SELECT name FROM p WHERE age = age",
    .after = "Project p.name (Filter p.age IS NOT NULL (Scan p (name, age)))",
};
extern const Rule self_comparison;

}  // namespace trustsql::plan::rules
