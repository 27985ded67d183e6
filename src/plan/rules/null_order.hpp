// A test for NULL that only puts the NULLs of the next sort key first or last.
//
// Law        sort[x IS NULL, x](R) = sort[x NULLS LAST](R); sort[x IS NULL DESC, x](R) = sort[x NULLS FIRST](R); the
//            same for x DESC, and for x IS NOT NULL in the other direction
// Holds      always, if x is not random: the test is 0 or 1, and then all NULLs are tied.
#pragma once

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

inline constexpr RuleExample null_order_example{
    .before = "SELECT name FROM p ORDER BY age IS NULL, age DESC, id",
    .prepared_by = "projection_pull_up",
    .after = "Project p.name (Sort by p.age DESC, p.id (Scan p (id, name, age)))",
};
extern const Rule null_order;

}  // namespace trustsql::plan::rules
