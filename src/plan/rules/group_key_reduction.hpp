// Keys of a GROUP BY that do not affect the groups are removed.
//
// Law        group[id, name] = group[id], if id determines name and name is not used above; equal keys become one
// Holds      with a true key or a functional dependency on one, for determining keys compared under BINARY; for
//            primary keys that may hold NULL, under the assumption that they do not.
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample group_key_reduction_example{
    .before = "SELECT count(*) FROM p JOIN c ON c.pid = p.id GROUP BY p.id, p.name",
    .after =
        "Project count (Aggregate count(*) AS count by p.id (Join inner on c.pid = p.id (Scan p (id, name), Scan c "
        "(pid))))",
};
extern const Rule group_key_reduction;

}  // namespace trustsql::plan::rules
