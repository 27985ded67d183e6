// Conditions on group keys filter rows instead of groups.
//
// Law        filter[p](aggregate[keys, calls](R)) = aggregate[keys, calls](filter[p](R)) if p uses only keys
// Holds      with GROUP BY: without it an aggregate has a row even for an empty input (SUM and MAX are then NULL), and
//            a filter below would not remove that. The rows of a group must have identical keys, hence only for keys
//            compared under BINARY that do not mix 1 and 1.0. p is neither random nor contains a subquery.
// Example    GROUP BY country HAVING country <> 'France'   becomes   WHERE country <> 'France' GROUP BY country
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

extern const Rule having_to_where;

}  // namespace trustsql::plan::rules
