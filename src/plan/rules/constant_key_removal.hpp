// Constant keys of a GROUP BY are removed.
//
// Law        group[1, name](calls) = project[1, name, calls](group[name](calls))
// Holds      always; GROUP BY without keys still has no row if there are none to group.
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample constant_key_removal_example{
    .before = "SELECT count(*) FROM p GROUP BY 'x', city",
    .after =
        "Project count (Project 'x' AS expr, p.city, count (Aggregate count(*) AS count by p.city (Scan p (city))))",
};
extern const Rule constant_key_removal;

}  // namespace trustsql::plan::rules
