// Functions that have several names get one.
//
// Law        ifnull(a, b) = coalesce(a, b); iif(p, a, b) = CASE WHEN p THEN a ELSE b END; substring(...) =
//            substr(...);
//            format(...) = printf(...); upper(lower(a)) = upper(a), and so on;
//            nth_value(a, 1) = first_value(a), over any window; CAST(a AS INT) = CAST(a AS INTEGER), and so on
// Holds      for SQLite's built-in functions (lang_corefunc.html, windowfunctions.html). CAST depends only on the
//            affinity of the type (lang_expr.html#castexpr).
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample function_spelling_example{
    .before = "SELECT ifnull(city, '?') FROM p",
    .after = "Project coalesce(p.city, '?') AS expr (Scan p (city))",
};
extern const Rule function_spelling;  // in expressions
inline constexpr RuleExample window_function_spelling_example{
    .before = "SELECT nth_value(age, 1) OVER (ORDER BY id) FROM p",
    .after = "Project first_value (Window first_value(p.age) OVER (ORDER BY p.id) AS first_value (Scan p (id, age)))",
};
extern const Rule window_function_spelling;  // of window functions

}  // namespace trustsql::plan::rules
