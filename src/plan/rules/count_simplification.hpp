// Aggregates in their simplest form.
//
// Law        count(x) = count(*) if x is never NULL; min(DISTINCT x) = min(x), the same for max;
//            count(DISTINCT x) = count(x), the same for sum, avg and total, if no two rows of a group have the same x
// Holds      the first after every outer join below: what a left join may fill with NULLs may be NULL. The last if x and the keys
//            of the groups contain a key of the rows, compared with BINARY; of primary keys that may hold NULL under the
//            assumption that they do not.
// Example    SELECT count(id) FROM singer   becomes   SELECT count(*) FROM singer
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

extern const Rule count_simplification;

}  // namespace trustsql::plan::rules
