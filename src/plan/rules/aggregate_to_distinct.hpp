// GROUP BY without aggregates is DISTINCT.
//
// Law        group[k] without calls = distinct(project[k])
// Holds      always; DISTINCT compares with the collations of the keys.
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample aggregate_to_distinct_example{
    .before = "SELECT city FROM p GROUP BY city",
    .after = "Project p.city (Distinct (Project p.city (Scan p (city))))",
};
extern const Rule aggregate_to_distinct;

}  // namespace trustsql::plan::rules
