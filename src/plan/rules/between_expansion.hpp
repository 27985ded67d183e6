// BETWEEN becomes two comparisons.
//
// Law        x BETWEEN a AND b = x >= a AND x <= b; x NOT BETWEEN a AND b = x < a OR x > b
// Holds      always, as SQLite defines BETWEEN (lang_expr.html); x is then evaluated twice, so it must neither be
//            random nor contain a subquery.
// Example    age BETWEEN 20 AND 30   becomes   age >= 20 AND age <= 30
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

extern const Rule between_expansion;

}  // namespace trustsql::plan::rules
