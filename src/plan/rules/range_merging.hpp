// Bounds on the same expression are merged.
//
// Law        x > a AND x > b = x > max(a, b); x >= a AND x <= a = (x = a); x = a AND x < b = (x = a) if a < b, else
//            false;
//            x IN (a, b) AND x <> a = (x = b); bounds that exclude each other are never true
// Holds      if only truth matters (a removed bound can no longer make the result NULL, but then the other is NULL as
//            well), for literals a and b, if all comparisons have the same affinity and collation: SQLite's order of
//            values is total.
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample range_merging_example{
    .before = "SELECT name FROM p WHERE score = 1 OR (age > 20 AND age >= 25 AND age <= 25)",
    .prepared_by = "comparison_conversion",
    .after = "Project p.name (Filter p.score = 1 OR p.age = 25 (Scan p (name, age, score)))",
};
extern const Rule range_merging;  // in AND
inline constexpr RuleExample range_merging_of_conjuncts_example{
    .before = "SELECT name FROM p WHERE age > 20 AND age >= 25 AND age <= 25",
    .prepared_by = "comparison_conversion",
    .after = "Project p.name (Filter p.age = 25 (Scan p (name, age)))",
};
extern const Rule range_merging_of_conjuncts;  // in the conditions of filters and joins

// Whether the two conditions are bounds on the same expression, and never true together.
bool are_exclusive_bounds(const Expr& a, const Expr& b);

}  // namespace trustsql::plan::rules
