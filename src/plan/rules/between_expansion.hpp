// BETWEEN becomes two comparisons.
//
// Law        x BETWEEN a AND b = x >= a AND x <= b; x NOT BETWEEN a AND b = x < a OR x > b
// Holds      always, as SQLite defines BETWEEN (lang_expr.html); x is then evaluated twice, so it must neither be
//            random nor contain a subquery.
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample between_expansion_example{
    .before = "SELECT name FROM p WHERE age BETWEEN 20 AND 30",
    .after = "Project p.name (Filter p.age >= 20 AND p.age <= 30 (Scan p (name, age)))",
};
extern const Rule between_expansion;

}  // namespace trustsql::plan::rules
