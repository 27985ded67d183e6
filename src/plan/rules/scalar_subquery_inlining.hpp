// A scalar subquery that reads nothing is its value.
//
// Law        (SELECT e) = e
// Holds      for a subquery without FROM, which has exactly one row.
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample scalar_subquery_inlining_example{
    .before = "SELECT name FROM p WHERE age > (SELECT 2)",
    .after = "Project p.name (Filter p.age > 2 (Scan p (name, age)))",
};
extern const Rule scalar_subquery_inlining;

}  // namespace trustsql::plan::rules
