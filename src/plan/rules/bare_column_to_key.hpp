// A bare column that the keys of a GROUP BY determine becomes a key.
//
// Law        group[id](name) = group[id, name], if id determines name
// Holds      with a true key or a functional dependency on one, for determining keys compared under BINARY; for
//            primary keys that may hold NULL, under the assumption that they do not.
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample bare_column_to_key_example{
    .before = "SELECT name, count(*) FROM p JOIN c ON c.pid = p.id GROUP BY p.id",
    .after =
        "Project p.name, count (Project p.id, count, p.name (Aggregate count(*) AS count by p.id, p.name (Join inner "
        "on c.pid = p.id (Scan p (id, name), Scan c (pid)))))",
};
extern const Rule bare_column_to_key;

}  // namespace trustsql::plan::rules
