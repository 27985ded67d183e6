// The first of sorted values becomes the maximum or minimum.
//
// Law        limit[1](sort[x DESC](project[x](R))) = group[](max(x))(R), which has no row if R has none; min(x) for
//            ascending order
// Holds      if nothing but x is returned; if NULLs come first, only if x is never NULL; for values compared under
//            BINARY.
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample top_row_to_extreme_example{
    .before = "SELECT age FROM p ORDER BY age DESC LIMIT 1",
    .after = "Project max AS expr (Aggregate max(p.age) AS max by () (Project p.age (Scan p (age))))",
};
extern const Rule top_row_to_extreme;

}  // namespace trustsql::plan::rules
