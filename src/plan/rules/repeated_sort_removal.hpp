// Removes sorting of rows that a LIMIT below has taken in the same order.
//
// Law        sort[k](limit(sort[k](R))) = limit(sort[k](R)), the same with projections in between
// Holds      always: LIMIT preserves the order, including that of ties in k. k must not be random.
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample repeated_sort_removal_example{
    .before = "SELECT id FROM (SELECT id FROM p ORDER BY id LIMIT 5) ORDER BY id",
    .prepared_by = "derived_table_inlining",
    .after = "Project p.id (Limit 5 (Sort by p.id (Project p.id (Scan p (id)))))",
};
extern const Rule repeated_sort_removal;

}  // namespace trustsql::plan::rules
