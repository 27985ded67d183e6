// The first row in the order of a key is the row with the maximum or minimum.
//
// Law        limit[1](project[y](sort[k DESC](R))) = project[y](R JOIN[k = m] aggregate[m = max(k)](S)), where S is a
// copy
//            of R; min(k) for ascending order
// Holds      if no two rows of R agree on k, a column that is never NULL, compared under BINARY; R must not be random,
//            use windows or depend on rows outside. There is one row at most, so that it has no order.
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample top_row_by_key_example{
    .before = "SELECT city FROM p ORDER BY id DESC LIMIT 1",
    .after =
        "Project p.city (Join inner on p.id = max (Project p.city, p.id (Scan p (id, city)), Aggregate max(p_2.id) "
        "AS max (Project p_2.city, p_2.id (Scan p AS p_2 (id, city)))))",
};
extern const Rule top_row_by_key;

}  // namespace trustsql::plan::rules
