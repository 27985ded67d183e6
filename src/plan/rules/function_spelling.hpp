// Functions that have several names get one.
//
// Law        ifnull(a, b) = coalesce(a, b); iif(p, a, b) = CASE WHEN p THEN a ELSE b END; substring(...) =
//            substr(...);
//            format(...) = printf(...); upper(lower(a)) = upper(a), and so on
// Holds      for SQLite's built-in functions (lang_corefunc.html).
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample function_spelling_example{
    .before = "SELECT ifnull(city, '?') FROM p",
    .after = "Project coalesce(p.city, '?') AS expr (Scan p (city))",
};
extern const Rule function_spelling;

}  // namespace trustsql::plan::rules
