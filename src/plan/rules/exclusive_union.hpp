// A UNION ALL of rows of the same tables under conditions that exclude each other has one condition.
//
// Law        project[x](filter[p](R)) UNION ALL project[x](filter[q](R)) = project[x](filter[p OR q](R))
// Holds      if no row satisfies both p and q, so that each row comes from one input at most: bounds on one expression
//            that exclude each other, IS NULL beside a condition that is not true for NULL, a condition and its
//            negation. For tables, joined in the same way; nothing may be random.
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample exclusive_union_example{
    .before = "SELECT name FROM p WHERE city = 'x' UNION ALL SELECT name FROM p WHERE city = 'y' AND age > 1",
    .prepared_by = "comparison_conversion",
    .after =
        "Project p.name AS expr (Project p.name (Filter p.city = 'x' OR p.city = 'y' AND p.age > 1 (Scan p (name, age, "
        "city))))",
};
extern const Rule exclusive_union;

}  // namespace trustsql::plan::rules
