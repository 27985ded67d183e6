// Joins with a list of constants.
//
// Law        R JOIN values[c]((c1), ..., (cn)) ON x = c = filter[x IN (c1, ..., cn)](R)
// Holds      if nothing else uses c, and the constants are different as the join compares them, so that a row has one
//            partner at most. Constants that are NULL have no partner.
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample values_join_to_filter_example{
    .before = "SELECT name FROM p JOIN (VALUES ('Rome'), ('Oslo')) AS v ON v.column1 = city",
    .prepared_by = "derived_table_inlining",
    .after = "Project p.name (Filter p.city IN ('Rome', 'Oslo') (Scan p (name, city)))",
};
extern const Rule values_join_to_filter;

}  // namespace trustsql::plan::rules
