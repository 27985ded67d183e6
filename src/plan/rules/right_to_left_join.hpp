// RIGHT JOIN becomes LEFT JOIN.
//
// Law        R RIGHT JOIN[p] S = S LEFT JOIN[p] R, with the columns of R first
// Holds      always; table-valued functions stay where they are, since SQLite 3.40 finds no matches for them in a
//            RIGHT JOIN.
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample right_to_left_join_example{
    .before = "SELECT name, v FROM p RIGHT JOIN c ON p.id = c.pid",
    .after =
        "Project p.name, c.v (Project p.id, p.name, c.pid, c.v (Join left on p.id = c.pid (Scan c (pid, v), Scan p "
        "(id, name))))",
};
extern const Rule right_to_left_join;

}  // namespace trustsql::plan::rules
